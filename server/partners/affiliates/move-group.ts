import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordChanges } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { recordAffiliateEvents } from './events.ts';
import { type PastTerms, storePastTerms } from './past-terms.ts';

/**
 * Moves all affiliates of a group to another group or to none, each with an audit row. The groups must be locked. Rows are
 * locked in the order of their ids, as everywhere.
 */
export async function moveMembers(
  tx: Tx,
  { programId, actor }: { programId: string; actor: Actor },
  { from, to }: { from: string; to: string | null },
): Promise<void> {
  const { rows } = await sql<PastTerms>`
    with member as materialized (
      select id, group_id from affiliates where program_id = ${programId} and group_id = ${from} order by id for no key update
    )
    update affiliates as affiliate set group_id = ${to}, updated_at = ${tx.clock.now()}
    from member where affiliate.program_id = ${programId} and affiliate.id = member.id
    returning affiliate.program_id, affiliate.id, affiliate.status, member.group_id, affiliate.parent_affiliate_id,
      affiliate.commission_override_type, affiliate.commission_override_rate`.execute(tx.db);
  await storePastTerms(tx, rows);
  const change = { action: 'affiliate.updated' as const, before: { groupId: from }, after: { groupId: to } };
  await recordChanges(
    tx,
    { programId, actor },
    rows.map(({ id }) => ({ ...change, subjectId: id })),
  );
  await recordAffiliateEvents(
    tx,
    { programId, actor },
    rows.map(({ id, status }) => ({ id, status, previous: change.before })),
  );
}
