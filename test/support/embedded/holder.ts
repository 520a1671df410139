// A process that holds a database open, so that tests can have several and kill them. Arguments:
// data folder, role, wait in ms. It writes one JSON line per fact; SIGTERM closes and leaves.

import { findLocation } from '../../../server/platform/db/embedded/location.ts';
import { AlreadyServing, openEmbedded } from '../../../server/platform/db/embedded/open.ts';
import { readPostmaster } from '../../../server/platform/db/embedded/postmaster-file.ts';

const [dataDir = '', role = '', waitMs = '0'] = process.argv.slice(2);

function sendToParent(fact: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
}

try {
  const database = await openEmbedded({
    dataDir,
    role: role === 'server' ? 'server' : 'command',
    name: 'held',
    waitMs: Number(waitMs),
    settings: { fsync: 'off' },
    log: (message) => sendToParent({ event: 'log', message }),
    onLost: (error) => sendToParent({ event: 'lost', message: error.message }),
  });
  const postmaster = readPostmaster(findLocation(dataDir).clusterDir);
  const alive = setInterval(() => undefined, 1_000);
  process.once('SIGTERM', () => {
    clearInterval(alive);
    void database.close().then(() => sendToParent({ event: 'closed' }));
  });
  sendToParent({ event: 'open', how: database.how, postmaster: postmaster?.pid, host: database.connection.host });
} catch (error) {
  sendToParent({ event: error instanceof AlreadyServing ? 'rejected' : 'failed', message: String(error) });
}
