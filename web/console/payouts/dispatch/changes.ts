// What changed between the amounts that were shown and those that are due now. Pure.
import { type DueRow, nameOf } from '../due/due-groups.ts';

export type DueChange = { affiliateId: string; name: string; beforeCents: number; afterCents: number };

/** The affiliates whose amount changed, who are no longer due (0 after), or who became due (0 before). */
export function findChanges(seen: readonly DueRow[], now: readonly DueRow[]): DueChange[] {
  const before = new Map(seen.map((row) => [row.affiliateId, row]));
  const after = new Map(now.map((row) => [row.affiliateId, row]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((affiliateId) => {
    const [was, is] = [before.get(affiliateId), after.get(affiliateId)];
    const [beforeCents, afterCents] = [was?.amountCents ?? 0, is?.amountCents ?? 0];
    const row = is ?? was;
    if (beforeCents === afterCents || row === undefined) return [];
    return [{ affiliateId, name: nameOf(row), beforeCents, afterCents }];
  });
}

/** The affiliates that are paid: those that are due, without the deselected ones. */
export function chosenOf(due: readonly DueRow[], excepted: { has(id: string): boolean }): { rows: DueRow[]; totalCents: number } {
  const rows = due.filter(({ affiliateId }) => !excepted.has(affiliateId)).toSorted((a, b) => b.amountCents - a.amountCents);
  return { rows, totalCents: rows.reduce((sum, { amountCents }) => sum + amountCents, 0) };
}

/** From this multiple of the last batch on, the user types the total to confirm it. */
const unusualFactor = 2;

/** Whether a batch is unusually large compared with the last one; null means that there was none. */
export function isUnusual(totalCents: number, lastCents: number | null): boolean {
  return lastCents !== null && totalCents >= lastCents * unusualFactor;
}
