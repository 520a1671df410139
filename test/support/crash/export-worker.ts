// A process that runs one export until it is finished or killed, and then reads its file. Started by test/kill/exports.test.ts.
import pino from 'pino';
import { readConfig } from '../../../server/config.ts';
import type { Context } from '../../../server/context.ts';
import type { TaskJob } from '../../../server/platform/background-tasks/background-task.ts';
import { readOutput } from '../../../server/platform/background-tasks/output.ts';
import { appRole } from '../../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../../server/platform/db/connect.ts';
import { createOutgoingHttp } from '../../../server/platform/http/outgoing/outgoing.ts';
import { systemClock } from '../../../server/platform/lib/clock.ts';
import { openWorkers } from '../../../server/platform/lib/concurrency/workers.ts';
import { randomIds } from '../../../server/platform/lib/ids.ts';
import { createVault } from '../../../server/platform/secrets/vault.ts';
import { runExport } from '../../../server/views/exports/run-export.ts';

export type WorkerOptions = { connection: { host: string; port: number; user: string; database: string }; task: TaskJob };

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as WorkerOptions);

async function work({ connection, task }: WorkerOptions): Promise<void> {
  const http = createOutgoingHttp({ allowPrivate: true });
  const db = typedQueries(connect({ ...connection, role: appRole, max: 4 }));
  let isContinued = false;
  const ctx: Context = {
    db,
    programDb: () => db,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'error' }, pino.destination(2)),
    config: readConfig({}),
    mailer: null,
    jobs: {
      enqueue: async () => {
        isContinued = true;
      },
    },
    http,
    checkUrl: http.checkUrl,
    findDnsRecords: async () => [],
    vault: createVault([Buffer.alloc(32)]),
    workers: openWorkers(),
  };
  process.stdout.write('ready\n');
  do {
    isContinued = false;
    await runExport.run(ctx, task, { isLast: false });
  } while (isContinued);
  let bytes = 0;
  for await (const part of readOutput(ctx, task.programId, task.taskId)) bytes += Buffer.byteLength(part);
  process.stdout.write(`finished ${JSON.stringify({ bytes, maxRssBytes: process.resourceUsage().maxRSS * 1024 })}\n`);
  process.exit(0);
}
