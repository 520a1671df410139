// How much memory a command needed at most, with a heap as small as on a machine with little memory: on a large one, garbage is
// collected late.
import { readFile } from 'node:fs/promises';

const maxHeapMb = 320;

/** Settings for a command that writes its peak into a file when it ends. */
export function measuringMemory(file: string): { environment: Record<string, string>; readMb(): Promise<number> } {
  const report = `import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`;
  return {
    environment: { NODE_OPTIONS: `--max-old-space-size=${maxHeapMb} --import=data:text/javascript,${encodeURIComponent(report)}` },
    readMb: async () => Math.round(Number(await readFile(file, 'utf8')) / 1024),
  };
}
