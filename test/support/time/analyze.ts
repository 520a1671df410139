// The database's statistics during a long test. Plans made for empty tables are bad ones; in production autovacuum updates
// the statistics.
import type { Pool } from 'pg';

const tickMs = 3000;

/** Analyzes after three seconds, and every half a minute. Returns how to stop. */
export function analyzeRegularly(pool: Pool): () => void {
  let ticks = 0;
  const timer = setInterval(() => {
    if (ticks % 10 === 0) void pool.query('analyze').catch(() => {});
    ticks += 1;
  }, tickMs);
  return () => clearInterval(timer);
}
