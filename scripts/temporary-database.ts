// A PostgreSQL of its own for tests, generators and benchmarks, gone without a trace afterwards.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../server/db/embedded/open.ts';

/** Opens an embedded database in a fresh folder. `settings` default to a fast one that may forget everything. */
export async function openTemporaryDatabase(
  name: string,
  settings: Record<string, string> = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
) {
  const folder = await mkdtemp(join(tmpdir(), `tributary-${name}-`));
  // As root the database runs under another account, which must be able to enter.
  await chmod(folder, 0o755);
  const embedded = await openEmbedded({ dataDir: folder, role: 'command', name, settings });
  return {
    folder,
    connection: embedded.connection,
    async close(): Promise<void> {
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
