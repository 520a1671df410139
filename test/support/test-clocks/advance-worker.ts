// A process that advances test clocks until it is killed. Started by test/kill/test-clocks.test.ts.
import pino from 'pino';
import { readConfig } from '../../../server/config.ts';
import type { Context } from '../../../server/context.ts';
import { appRole } from '../../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../../server/platform/db/connect.ts';
import { createOutgoingHttp } from '../../../server/platform/http/outgoing/outgoing.ts';
import { fixedClock } from '../../../server/platform/lib/clock.ts';
import { openWorkers } from '../../../server/platform/lib/concurrency/workers.ts';
import { randomIds } from '../../../server/platform/lib/ids.ts';
import { createJobs } from '../../../server/platform/queue/outbox.ts';
import { openQueue, startJobs } from '../../../server/platform/queue/queue.ts';
import { createVault } from '../../../server/platform/secrets/vault.ts';
import { advanceJobName } from '../../../server/platform/test-clocks/write-clock.ts';
import { jobs } from '../../../server/schedule.ts';

export type AdvanceWorkerOptions = {
  connection: { host: string; port: number; user: string; database: string };
  vaultKey: string;
  now: number;
};

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as AdvanceWorkerOptions);

async function work({ connection, vaultKey, now }: AdvanceWorkerOptions): Promise<void> {
  const log = pino({ level: 'fatal' });
  const http = createOutgoingHttp({ allowPrivate: true });
  const boss = await openQueue(connect({ ...connection, max: 2 }), log, { supervise: false });
  const db = typedQueries(connect({ ...connection, role: appRole, max: 4 }));
  const ctx: Context = {
    db,
    programDb: () => db,
    clock: fixedClock(new Date(now)),
    ids: randomIds,
    log,
    config: readConfig({}),
    mailer: null,
    jobs: createJobs(boss),
    checkUrl: http.checkUrl,
    http,
    vault: createVault([Buffer.from(vaultKey, 'base64')]),
    workers: openWorkers(),
  };
  const advance = jobs.filter(({ name }) => name === advanceJobName);
  await startJobs(boss, advance, ctx);
  process.stdout.write('ready\n');
}
