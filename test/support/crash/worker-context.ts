// The context of a process that a test starts and kills.
import pino from 'pino';
import { readConfig } from '../../../server/config.ts';
import type { Context } from '../../../server/context.ts';
import { appRole } from '../../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../../server/platform/db/connect.ts';
import { createOutgoingHttp } from '../../../server/platform/http/outgoing/outgoing.ts';
import type { Clock } from '../../../server/platform/lib/clock.ts';
import { openWorkers } from '../../../server/platform/lib/concurrency/workers.ts';
import { randomIds } from '../../../server/platform/lib/ids.ts';
import { createVault } from '../../../server/platform/secrets/vault.ts';

export type WorkerConnection = { host: string; port: number; user: string; database: string };

type Options = { connection: WorkerConnection; vaultKey: string; clock: Clock };

/** Without a mail server and a queue: jobs that are enqueued are dropped. */
export function openWorkerContext({ connection, vaultKey, clock }: Options): Context {
  const http = createOutgoingHttp({ allowPrivate: true });
  const db = typedQueries(connect({ ...connection, role: appRole, max: 4 }));
  return {
    db,
    programDb: () => db,
    clock,
    ids: randomIds,
    log: pino({ level: 'fatal' }),
    config: readConfig({}),
    mailer: null,
    jobs: { enqueue: async () => {} },
    checkUrl: http.checkUrl,
    findDnsRecords: async () => [],
    http,
    vault: createVault([Buffer.from(vaultKey, 'base64')]),
    workers: openWorkers(),
  };
}
