// Changing many affiliates in the console: the selected ones, or all that match a filter. A dry run shows the effect; the
// number of affiliates that the user saw must still be correct. Many affiliates are changed by a background task.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { createTask } from '../../../platform/background-tasks/background-task.ts';
import { endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { Invalid, InvalidState } from '../../../platform/lib/errors.ts';
import { fullName } from '../../../platform/lib/text.ts';
import { requireGroup } from '../affiliate.ts';
import { AffiliateFilter } from '../filter/filter.ts';
import { countMatches, type Match, selectMatches } from '../filter/matches.ts';
import { type BulkChange, BulkChange as BulkChangeField, changeAll, changesAffiliate, countEmails, toFieldChange } from './bulk-change.ts';
import { storeChangeSet, undoTime } from './change-set.ts';
import { noteField, notifyField } from './decide.ts';
import { changeAffiliatesJob } from './run-bulk-change.ts';

/** Up to this many are changed immediately and can be undone. */
const maxImmediate = 200;
const pauseMs = 60_000;

const Body = z
  .object({
    ids: z.array(uuid).min(1).max(1000).optional().describe('The affiliates to change.'),
    filter: AffiliateFilter.optional().describe('Changes all matches, instead of `ids`. An empty filter matches all affiliates.'),
    change: BulkChangeField,
    note: noteField.optional(),
    sendEmail: notifyField.default(true),
    expectedCount: z.int().min(0).optional().describe('The number of affiliates that the user saw. Required unless `dryRun`.'),
    dryRun: z.boolean().default(false),
  })
  .meta({
    id: 'AffiliateBulk',
    example: { filter: { status: ['pending'] }, change: { kind: 'approve' }, expectedCount: 12 },
  });

const Fields = z.record(z.string(), z.unknown());
const Preview = z
  .object({
    id: uuidOut,
    name: z.string(),
    before: Fields.describe('The fields before the change.'),
    after: Fields.describe('The same fields after it.'),
  })
  .meta({ id: 'BulkChangePreview' });

const Result = z
  .object({
    matched: countOut.describe('The selected affiliates.'),
    changed: countOut.describe('How many of them the change has an effect on.'),
    emails: countOut.describe('How many emails it sends.'),
    preview: z.array(Preview).describe('The first five, before and after. Empty unless `dryRun`.'),
    changeSetId: uuidOut.nullable().describe('For undoing the change; null if it can’t be undone.'),
    undoUntil: timestampOut.nullable(),
    backgroundTaskId: uuidOut.nullable().describe('The task that changes more than 200 affiliates.'),
  })
  .meta({
    id: 'AffiliateBulkResult',
    example: {
      matched: 12,
      changed: 12,
      emails: 12,
      preview: [],
      changeSetId: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      undoUntil: '2026-11-20T09:01:00.000Z',
      backgroundTaskId: null,
    },
  });

export const changeAffiliates = endpoint({
  id: 'affiliates.bulk',
  route: 'POST /app/programs/:programId/affiliates/bulk',
  scope: 'write',
  requires: 'affiliates.write',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Change several affiliates',
  description:
    'Approves, rejects, suspends, archives or re-invites affiliates, or sets their group, tags or override. `dryRun` returns the ' +
    `effect without changing anything. Up to ${maxImmediate} affiliates are changed immediately; more by a background task.`,
  body: Body,
  statuses: [200],
  result: Result,
  errors: [
    {
      status: 400,
      code: 'count_changed',
      when: 'Another number of affiliates matches than `expectedCount`.',
      facts: z.object({ count: countOut.describe('The number of affiliates that match now.') }),
    },
    { status: 404, code: 'not_found', when: '`groupId` was not found in this program.' },
  ],
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const match = toMatch(programId, body);
    if (body.change.kind === 'group' && body.change.groupId) await requireGroup(tx, programId, body.change.groupId);
    const matched = await countMatches(tx, match);
    checkCount(body, matched);
    const has = changesAffiliate(body.change, new Date(tx.clock.now().getTime() - pauseMs));
    const changed = await countChanged(tx, match, has);
    const effect = { matched, changed, emails: countEmails(body.change, body, changed), preview: [] };
    const nothing = { changeSetId: null, undoUntil: null, backgroundTaskId: null };
    if (body.dryRun) return { ...effect, ...nothing, preview: await preview(tx, match, has, body.change) };
    if (changed === 0) return { ...effect, ...nothing };
    return { ...effect, ...nothing, ...(await start(tx, actor, { match, has, changed, body })) };
  },
});

type Given = z.output<typeof Body>;

function toMatch(programId: string, { ids, filter }: Given): Match {
  if ((ids === undefined) === (filter === undefined)) {
    const message = 'must be sent unless `filter` is sent, and not together with it';
    throw new Invalid([{ path: ['ids'], message }]);
  }
  return ids ? { programId, ids } : { ...filter, programId };
}

function checkCount({ expectedCount, dryRun }: Given, count: number): void {
  if (expectedCount === undefined && !dryRun) throw new Invalid([{ path: ['expectedCount'], message: 'is required' }]);
  if (expectedCount === undefined || expectedCount === count) return;
  const message = `${count} affiliates match now, not ${expectedCount}. Check the selection and try again.`;
  throw new InvalidState('count_changed', message, { count });
}

async function countChanged(ctx: Pick<Context, 'db'>, match: Match, has: RawBuilder<boolean>): Promise<number> {
  const { from } = selectMatches(match, { affiliates: true });
  const { rows } = await sql<{ total: number }>`select count(*) as total ${from} and ${has}`.execute(ctx.db);
  return rows[0]?.total ?? 0;
}

type Previewed = {
  id: string;
  firstName: string;
  lastName: string;
  status: string;
  groupId: string | null;
  tags: string[];
  commissionOverrideType: string | null;
  commissionOverrideRate: number | null;
  invitedAt: Date | null;
};

async function preview(ctx: Pick<Context, 'db' | 'clock'>, match: Match, has: RawBuilder<boolean>, change: BulkChange) {
  const { from } = selectMatches(match, { affiliates: true });
  const { rows } = await sql<Previewed>`
    select affiliate.id, affiliate.first_name, affiliate.last_name, affiliate.status, affiliate.group_id, affiliate.tags,
      affiliate.commission_override_type, affiliate.commission_override_rate::float8 as commission_override_rate, affiliate.invited_at
    ${from} and ${has} order by affiliate.created_at desc, affiliate.id desc limit 5`.execute(ctx.db);
  return rows.map((row) => {
    const after: Record<string, unknown> = toFieldChange(change, row) ?? { invitedAt: ctx.clock.now().toISOString() };
    const present: Record<string, unknown> = { ...row, invitedAt: row.invitedAt?.toISOString() ?? null };
    const before = Object.fromEntries(Object.keys(after).map((field) => [field, present[field] ?? null]));
    return { id: row.id, name: fullName(row), before, after };
  });
}

type Start = { match: Match; has: RawBuilder<boolean>; changed: number; body: Given };

async function start(tx: Tx, actor: Principal, { match, has, changed, body }: Start) {
  const { change, note, sendEmail } = body;
  const sending = { note, sendEmail };
  if (changed > maxImmediate) {
    const { programId: _, ...selected } = match;
    const input = { selected, change, sending, startedAt: tx.clock.now().toISOString() };
    const task = { programId: actor.programId, actor, kind: 'affiliates.change', total: changed, input: JSON.parse(JSON.stringify(input)) };
    return { backgroundTaskId: await createTask(tx, changeAffiliatesJob, task) };
  }
  const { from } = selectMatches(match, { affiliates: true });
  const { rows } = await sql<{ id: string; tags: string[] }>`
    select affiliate.id, affiliate.tags ${from} and ${has} order by affiliate.id for no key update of affiliate`.execute(tx.db);
  const undoUntil = undoTime(tx);
  const applied = await changeAll(tx, actor, rows, { change, sending, undoUntil });
  if (applied.length === 0) return {};
  return { changeSetId: await storeChangeSet(tx, actor, applied, undoUntil), undoUntil: undoUntil.toISOString() };
}
