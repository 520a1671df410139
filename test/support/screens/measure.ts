import type { WebFiles } from '../../../server/platform/http/web/files.ts';

/** The size of these files with this ending together: kilobytes, compressed with gzip. */
export function measure(files: WebFiles, paths: Iterable<string>, ending: string): number {
  return [...paths].filter((path) => path.endsWith(ending)).reduce((sum, path) => sum + kilobytes(files, path), 0);
}

function kilobytes(files: WebFiles, path: string): number {
  const file = files.assets.get(path);
  return (file?.gzip ?? file?.bytes ?? Buffer.alloc(0)).length / 1000;
}
