// A process that sends webhook deliveries until it is killed. Started by tests.
import pino from 'pino';
import { readConfig } from '../../../server/config.ts';
import type { Context } from '../../../server/context.ts';
import { startDispatcher } from '../../../server/messaging/webhooks/dispatch/dispatcher.ts';
import { appRole } from '../../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../../server/platform/db/connect.ts';
import { acquireProcessLock } from '../../../server/platform/db/process-lock.ts';
import { createOutgoingHttp } from '../../../server/platform/http/outgoing/outgoing.ts';
import { systemClock } from '../../../server/platform/lib/clock.ts';
import { openWorkers } from '../../../server/platform/lib/concurrency/workers.ts';
import { randomIds } from '../../../server/platform/lib/ids.ts';
import { createVault } from '../../../server/platform/secrets/vault.ts';

export type WorkerOptions = { connection: { host: string; port: number; user: string; database: string }; vaultKey: string };

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as WorkerOptions);

async function work({ connection, vaultKey }: WorkerOptions): Promise<void> {
  const http = createOutgoingHttp({ allowPrivate: true });
  const db = typedQueries(connect({ ...connection, role: appRole, max: 8 }));
  const ctx: Context = {
    db,
    programDb: () => db,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'error' }, pino.destination(2)),
    config: readConfig({}),
    mailer: null,
    jobs: { enqueue: async () => {} },
    http,
    checkUrl: http.checkUrl,
    findDnsRecords: async () => [],
    vault: createVault([Buffer.from(vaultKey, 'base64')]),
    workers: openWorkers(),
    processLock: await acquireProcessLock(connection),
  };
  startDispatcher(ctx);
  process.stdout.write('ready\n');
}
