// Waiting times after a change that a thief of one mailbox could make: until they pass, the owners can notice it.

const hourMs = 3_600_000;

/** For a new member, or one with a new role, as the second person of an approval. */
export const roleWaitHours = 72;
/** For a member whose first second factor was added, or who removed one, to move money. */
export const factorWaitHours = 24;

type Change = { changedAt: Date | null; confirmedAt: Date | null; waitHours: number };

/** When the waiting time after a change ends; null if it has, or if another owner has confirmed the member since. */
export function findWait({ changedAt, confirmedAt, waitHours }: Change, now: Date): Date | null {
  if (changedAt === null || (confirmedAt !== null && confirmedAt >= changedAt)) return null;
  const end = new Date(changedAt.getTime() + waitHours * hourMs);
  return end > now ? end : null;
}
