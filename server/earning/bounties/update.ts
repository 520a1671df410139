// Changing a bounty. Every change of its terms has all affiliates checked again.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { outdatedError, readVersion, requireVersion, versionHint } from '../../accounts/programs/version.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { type BountyRow, BountyShape, BountyStatus, bountySlot, lockBounty, readBounty, versionOf } from './bounty.ts';
import { bountyFields } from './create.ts';

const Change = z
  .object({ ...bountyFields, status: BountyStatus })
  .partial()
  .meta({ id: 'BountyUpdate', example: { endsOn: '2026-05-31' } });

export const updateBounty = endpoint({
  id: 'bounties.update',
  route: 'PATCH /v1/programs/:programId/bounties/:id',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Bounties',
  summary: 'Update a bounty',
  description:
    'Omitted fields keep their value. To end a bounty, set `endsOn` to today: orders of today still count, and a bonus that is not ' +
    `payable yet is still reversed if refunds undo its milestone. Archiving it stops both. ${versionHint}`,
  path: { id: bountySlot },
  body: Change,
  statuses: [200],
  result: BountyShape,
  errors: [outdatedError('stale_bounty', 'bounty')],
  async handle(tx, { actor, caller, params: { id }, body }) {
    const { programId } = actor;
    const before = await lockBounty(tx, programId, id);
    const object = { programId, id, version: versionOf(before), noun: 'bounty', code: 'stale_bounty' };
    await requireVersion(tx, object, readVersion(caller.headers['if-match']));
    const change = difference(before, body);
    if (!change) return readBounty(tx, actor, id);
    const { timezone } = await getProgram(tx, programId);
    rejectContradictions(before, change.after, localDate(tx.clock.now(), timezone));
    const { endsOn, ...columns } = change.after;
    const days = endsOn === undefined ? {} : { endsOn: sql<Date>`${endsOn}::date` };
    const bounties = tx.db.updateTable('bounties').set({ ...columns, ...days, checkedPosition: null, updatedAt: tx.clock.now() });
    await bounties.where('programId', '=', programId).where('id', '=', id).execute();
    await recordValues(tx, 'bounties', programId, [id]);
    await recordChange(tx, { programId, actor, action: 'bounty.updated', subjectId: id, ...change });
    return readBounty(tx, actor, id);
  },
});

type Changed = { budgetCents?: number | null | undefined; endsOn?: string | null | undefined };

/** An earlier end would take back milestones that were already reached. */
function rejectContradictions({ spentCents, startsOn }: BountyRow, { budgetCents, endsOn }: Changed, today: string): void {
  const fail = (path: string, message: string) => new Invalid([{ path: [path], message }]);
  if (budgetCents != null && budgetCents < spentCents)
    throw fail('budgetCents', `must not be less than the bonuses so far (${spentCents})`);
  const first = startsOn > today ? startsOn : today;
  if (endsOn != null && endsOn < first) throw fail('endsOn', `must not be before ${first}`);
}
