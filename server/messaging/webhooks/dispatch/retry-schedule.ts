import { createHash } from 'node:crypto';

const [second, minute, hour] = [1, 60, 3600];

/** Seconds after the first failed try, the second, … About three days in total. */
const pauses = [5 * second, 2 * minute, 15 * minute, hour, 4 * hour, 10 * hour, 15 * hour, 20 * hour, 24 * hour];

/**
 * The pause after this many failed tries, in milliseconds, or null after the last one. It varies by up to a tenth in both
 * directions, derived from the delivery, so that deliveries that failed together are not retried together.
 */
export function toPauseMs(deliveryId: string, failedTries: number): number | null {
  const pause = pauses[failedTries - 1];
  if (pause === undefined) return null;
  const spread = createHash('sha256').update(`${deliveryId} ${failedTries}`).digest().readUInt32BE() / 2 ** 32;
  return Math.round(pause * 1000 * (0.9 + spread * 0.2));
}
