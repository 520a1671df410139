// The history of an affiliate for people: the audit log of the affiliate and their page, with the names of actors, groups
// and uplines.
import { sql } from 'kysely';
import { z } from 'zod';
import { findActorNames } from '../../accounts/programs/actor-names.ts';
import type { Context } from '../../context.ts';
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { NamedActor } from '../../platform/http/declaration/actor-shape.ts';
import { eventListOf, eventPage, findEventPage } from '../../platform/http/declaration/cursor.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';

const Value = z.unknown().describe('Groups and affiliates are `{ id, name }`.');

const ActivityEvent = z
  .object({
    id: uuidOut,
    action: z.string().describe('Noun and verb, such as `affiliate.updated`.'),
    actor: NamedActor,
    changes: z.array(z.object({ field: z.string(), before: Value, after: Value })).describe('The fields that changed.'),
    note: z.string().nullable().describe('The reason that the actor gave.'),
    createdAt: timestampOut,
  })
  .meta({
    id: 'AffiliateActivityEvent',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      action: 'affiliate.updated',
      actor: { kind: 'user', id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14', name: 'Dana Calder' },
      changes: [{ field: 'status', before: 'pending', after: 'active' }],
      note: null,
      createdAt: '2026-11-20T09:00:00.000Z',
    },
  });

export const listAffiliateActivity = endpoint({
  id: 'affiliateTable.activity',
  route: 'GET /app/programs/:programId/affiliates/:id/activity',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'List the changes to an affiliate',
  path: { id: affiliateSlot },
  query: z.object(eventPage),
  statuses: [200],
  result: eventListOf('activity', ActivityEvent, 'AffiliateActivity'),
  async handle(ctx, { actor: { programId }, params: { id }, query }) {
    const events = ctx.db
      .selectFrom('auditLog')
      .where('programId', '=', programId)
      .where(
        sql<boolean>`(subject_id = ${id} or subject_id in (select id from landing_pages where program_id = ${programId} and affiliate_id = ${id}))`,
      );
    const { rows, ...found } = await findEventPage(events, query, (selected) => selected.selectAll());
    const nameOf = await findActorNames(
      ctx,
      programId,
      rows.map(({ actorKind, actorId }) => ({ kind: actorKind, id: actorId })),
    );
    const changes = rows.map((row) => listChanges(row.before, row.after));
    const resolve = await findNames(ctx, programId, changes.flat());
    const activity = rows.map((row, index) => ({
      id: row.id,
      action: row.action,
      actor: nameOf({ kind: row.actorKind, id: row.actorId }),
      changes: (changes[index] ?? []).filter(({ field }) => field !== 'note' || row.action.includes('note')).map(resolve),
      note: row.action.includes('note') ? null : findNote(row.after),
      createdAt: row.createdAt.toISOString(),
    }));
    return { activity, ...found };
  },
});

type Change = { field: string; before: unknown; after: unknown };
const Fields = z.record(z.string(), z.unknown()).nullable();

function listChanges(before: unknown, after: unknown): Change[] {
  const [old, fresh] = [Fields.parse(before) ?? {}, Fields.parse(after) ?? {}];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return fields.map((field) => ({ field, before: old[field] ?? null, after: fresh[field] ?? null }));
}

function findNote(after: unknown): string | null {
  const note = Fields.parse(after)?.note;
  return typeof note === 'string' ? note : null;
}

/** Looks up the names of groups and uplines in these changes. Returns a function that replaces their ids. */
async function findNames(ctx: Pick<Context, 'db'>, programId: string, changes: readonly Change[]): Promise<(change: Change) => Change> {
  const idsOf = (name: string) =>
    changes.filter(({ field }) => field === name).flatMap(({ before, after }) => [before, after].filter((id) => typeof id === 'string'));
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from groups where program_id = ${programId} and id = any(${idsOf('groupId')}::uuid[])
    union all
    select id, trim(first_name || ' ' || last_name) from affiliates
    where program_id = ${programId} and id = any(${idsOf('parentAffiliateId')}::uuid[])`.execute(ctx.db);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const toNamed = (id: unknown) => (typeof id === 'string' ? { id, name: names.get(id) ?? null } : null);
  return (change) =>
    change.field === 'groupId' || change.field === 'parentAffiliateId'
      ? { field: change.field, before: toNamed(change.before), after: toNamed(change.after) }
      : change;
}
