// Reports changes of source files, as one batch per save: editors write several files, and some files twice.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const settleMs = 40;
const isSource = /\.(tsx?|mjs|js|css|html|sql|json|md)$/;

/** Yields the changed paths of these folders, after each change; the first batch is empty and returned immediately. */
export async function* watchSources(root: string, folders: readonly string[]): AsyncGenerator<string[]> {
  let wake = () => {};
  const changed = new Set<string>();
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || !isSource.test(name)) return;
      changed.add(join(folder, name));
      wake();
    }),
  );
  try {
    for (;;) {
      const batch = [...changed];
      changed.clear();
      yield batch;
      if (changed.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      await sleep(settleMs);
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}
