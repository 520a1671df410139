// When the provider is next asked about a payout without a final outcome. The times depend only on the first attempt, so a check
// that is late delays none of those after it.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const weekMs = 7 * 24 * hourMs;

/** Half of the payout's age: from one minute to six hours; a day once it is a week old. */
function pauseAfter(ageMs: number): number {
  if (ageMs >= weekMs) return 24 * hourMs;
  return Math.min(Math.max(Math.floor(ageMs / 2), minuteMs), 6 * hourMs);
}

/** The first of these times that is after `now`. Pure. */
export function findNextCheck(firstAttemptAt: Date, now: Date): Date {
  const ageMs = now.getTime() - firstAttemptAt.getTime();
  let nextMs = minuteMs;
  while (nextMs <= ageMs) nextMs += pauseAfter(nextMs);
  return new Date(firstAttemptAt.getTime() + nextMs);
}
