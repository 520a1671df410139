// How much memory a command needed at most.
import { readFile } from 'node:fs/promises';

/** Settings for a command that writes its peak into a file when it ends. */
export function measuringMemory(file: string): { environment: Record<string, string>; readMb(): Promise<number> } {
  const report = `import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`;
  return {
    environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` },
    readMb: async () => Math.round(Number(await readFile(file, 'utf8')) / 1024),
  };
}
