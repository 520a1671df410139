// Runs flood.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Flood, Flooded } from './flood.ts';

export async function startFlood(given: Flood): Promise<Flooded> {
  const child = spawn(process.execPath, ['test/load/flood.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(given));
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(output) as Flooded;
}
