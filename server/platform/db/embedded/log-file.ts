// The database's own log, in the data folder. Limits its size, and reads the last lines if a start fails.
import fs from 'node:fs';

const maxLogBytes = 10 * 1024 * 1024;
const tailLines = 10;
const tailBytes = 16 * 1024;

/**
 * Opens the log for a new postmaster. `lastLines` returns lines that were written since: those of a process, if it wrote any,
 * because postmasters of simultaneous starts write into the same file.
 */
export function openLog(file: string): { descriptor: number; lastLines(pid: number | undefined): string } {
  const sizeBytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const isTooLarge = sizeBytes > maxLogBytes;
  // Truncated instead of renamed, because a running postmaster may still write to this file.
  if (isTooLarge) fs.truncateSync(file);
  const startBytes = isTooLarge ? 0 : sizeBytes;
  return {
    descriptor: fs.openSync(file, 'a', 0o600),
    lastLines(pid) {
      const lines = readFrom(file, startBytes).trim().split('\n');
      const own = lines.filter((line) => line.includes(`[${pid}]`));
      return (own.length > 0 ? own : lines).slice(-tailLines).join('\n');
    },
  };
}

function readFrom(file: string, startBytes: number): string {
  try {
    const descriptor = fs.openSync(file, 'r');
    try {
      const endBytes = fs.fstatSync(descriptor).size;
      const fromBytes = Math.max(startBytes, endBytes - tailBytes);
      const buffer = Buffer.alloc(Math.max(0, endBytes - fromBytes));
      fs.readSync(descriptor, buffer, 0, buffer.length, fromBytes);
      return buffer.toString();
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
