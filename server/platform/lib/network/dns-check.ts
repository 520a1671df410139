// What follows from a check of DNS records, whatever they are for: what is stored, and when they are checked again.
import { InvalidState } from '../errors.ts';

export const dnsUnavailable = { status: 400, code: 'dns_unavailable', when: 'The name servers of the domain did not answer.' } as const;

/** What was read for a request. Throws InvalidState if the name servers gave no answer. */
export function requireAnswer<Found>(reading: Promise<Found>): Promise<Found> {
  return reading.catch(() => {
    throw new InvalidState(dnsUnavailable.code, `${dnsUnavailable.when} Try again later.`);
  });
}

const [minuteMs, hourMs] = [60_000, 3_600_000];

/** How long to wait before records are checked again: short while they are being set up. */
export function toCheckDelayMs(isActive: boolean, ageMs: number): number {
  if (isActive) return 6 * hourMs;
  if (ageMs < 24 * hourMs) return 5 * minuteMs;
  return ageMs < 14 * 24 * hourMs ? hourMs : 24 * hourMs;
}

type Checked = { status: string; createdAt: Date };

/** When records are checked next. */
export function toNextCheckAt({ status, createdAt }: Checked, now: Date): Date {
  return new Date(now.getTime() + toCheckDelayMs(status === 'active', now.getTime() - createdAt.getTime()));
}

type Stored = Checked & { problem: string | null; activatedAt: Date | null; updatedAt: Date };
type Judged = { status: string; problem: string | null; found: object };

/** The columns of a row whose records were checked now. */
export function toCheckedColumns(before: Stored, { status, problem, found }: Judged, now: Date) {
  const isChanged = status !== before.status || problem !== before.problem;
  return {
    status,
    problem,
    found: JSON.stringify(found),
    checkedAt: now,
    nextCheckAt: toNextCheckAt({ status, createdAt: before.createdAt }, now),
    activatedAt: status === 'active' ? (before.activatedAt ?? now) : before.activatedAt,
    updatedAt: isChanged ? now : before.updatedAt,
  };
}
