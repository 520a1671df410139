// Creates the API key of a profile on the machine of the installation, whose operator may do so.
import { hostname } from 'node:os';
import { createKey } from '../../../accounts/programs/api-keys/create.ts';
import { transact } from '../../../platform/db/transact.ts';
import { parseUuid } from '../arguments.ts';
import { commandActor, withService } from '../run.ts';

/** Returns the key, which can read and write. */
export async function createLoginKey(program: string): Promise<string> {
  const programId = parseUuid(program, '--program');
  const actor = commandActor();
  const name = `Command line on ${hostname()}`.slice(0, 100);
  let created = '';
  await withService('login', async ({ ctx }) => {
    const key = { programId, name, scopes: ['read' as const, 'write' as const], expiresAt: null, rateLimitPerMinute: null, actor };
    created = (await transact(ctx, (tx) => createKey(tx, key))).apiKey;
  });
  return created;
}
