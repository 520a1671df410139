// Moves affiliates between groups: all members of one that is archived, or those who reached another one by their volume.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordChanges } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { jobName } from '../../platform/queue/job.ts';
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
    update affiliates as affiliate set group_id = ${to}, group_reached_on = null, updated_at = ${tx.clock.now()}
    from member where affiliate.program_id = ${programId} and affiliate.id = member.id
    returning affiliate.program_id, affiliate.id, affiliate.status, member.group_id, affiliate.parent_affiliate_id,
      affiliate.commission_override_type, affiliate.commission_override_rate`.execute(tx.db);
  await recordMoves(tx, { programId, actor }, rows, new Map(rows.map(({ id }) => [id, to])));
}

type Move = { affiliateId: string; from: string | null; to: string | null };

/** Moves by volume, each with its audit row, for the emails about them. */
export type GroupMoved = { programId: string; moves: (Move & { changeId: string })[] };

export const emailGroupMovesJob = jobName<GroupMoved>('affiliates.email_group_moves');

/** Emails of one job. */
const emailsPerJob = 100;

/**
 * Moves affiliates to the groups that they reached by their volume, each with an audit row and an email. An affiliate who left `from` in the
 * meantime, or whose new group was archived, stays where it is. `reachedOn`: a day in the program's time zone.
 */
export async function moveAffiliates(
  tx: Tx,
  { programId, actor, reachedOn }: { programId: string; actor: Actor; reachedOn: string },
  moves: readonly Move[],
): Promise<void> {
  if (moves.length === 0) return;
  const groupIds = [...new Set(moves.flatMap(({ to }) => to ?? []))];
  const groups = await sql<{ id: string }>`
    select id from groups where program_id = ${programId} and id = any(${groupIds}::uuid[]) and status = 'active'
    order by id for key share`.execute(tx.db);
  const active = new Set(groups.rows.map(({ id }) => id));
  const possible = moves.filter(({ to }) => to === null || active.has(to));
  const { rows } = await sql<PastTerms>`
    with move as (
      select * from jsonb_to_recordset(${JSON.stringify(possible)}::jsonb) as move ("affiliateId" uuid, "from" uuid, "to" uuid)
    ), member as materialized (
      select affiliate.id, affiliate.group_id, move."to" from affiliates as affiliate join move on move."affiliateId" = affiliate.id
      where affiliate.program_id = ${programId} and affiliate.group_id is not distinct from move."from"
      order by affiliate.id for no key update of affiliate
    )
    update affiliates as affiliate set group_id = member."to", group_reached_on = ${reachedOn}::date,
      updated_at = ${tx.clock.now()}
    from member where affiliate.program_id = ${programId} and affiliate.id = member.id
    returning affiliate.program_id, affiliate.id, affiliate.status, member.group_id, affiliate.parent_affiliate_id,
      affiliate.commission_override_type, affiliate.commission_override_rate`.execute(tx.db);
  const targets = new Map(possible.map(({ affiliateId, to }) => [affiliateId, to]));
  const changeIds = await recordMoves(tx, { programId, actor }, rows, targets);
  const moved = rows.map(({ id: affiliateId, groupId: from }, index) => {
    return { affiliateId, from, to: targets.get(affiliateId) ?? null, changeId: changeIds[index] ?? '' };
  });
  for (let start = 0; start < moved.length; start += emailsPerJob)
    await tx.jobs.enqueue(tx, emailGroupMovesJob, { programId, moves: moved.slice(start, start + emailsPerJob) });
}

/**
 * What follows from moves: the terms before them, audit rows and events. `rows`: the affiliates as they were. Returns the ids of
 * the audit rows.
 */
async function recordMoves(
  tx: Tx,
  origin: { programId: string; actor: Actor },
  rows: readonly PastTerms[],
  targets: ReadonlyMap<string, string | null>,
): Promise<string[]> {
  await storePastTerms(tx, rows);
  const changes = rows.map(({ id, groupId }) => ({
    action: 'affiliate.updated' as const,
    subjectId: id,
    before: { groupId },
    after: { groupId: targets.get(id) ?? null },
  }));
  const changeIds = await recordChanges(tx, origin, changes);
  const events = rows.map(({ id, status, groupId }) => ({ id, status, previous: { groupId } }));
  await recordAffiliateEvents(tx, origin, events);
  return changeIds;
}
