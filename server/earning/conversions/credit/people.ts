// The affiliates that an order's signals name, with what the calculation needs of them and their uplines,
// as it was when the order happened.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { CommissionRate, Earner } from '../../commission-rules/order-facts.ts';

/** `groupId`, `override` and `upline` are those of the time of the order, as is the status of the upline. */
export type Person = Earner & {
  status: string;
  email: string;
  /** The hold of their group as it is now, or null for the program's. */
  holdDays: number | null;
  upline: Person | null;
};

type Terms = {
  status: string;
  groupId: string | null;
  parentId: string | null;
  type: string | null;
  rate: number | null;
};

/** Terms that were replaced at `until` (ISO 8601). */
type PastTerms = Terms & { until: string };
type Known = Terms & { id: string; email: string; holdDays: number | null; past: PastTerms[] };

/** Affiliates by id, with their uplines, past and present. Ids of other programs are not in it. */
export type People = ReadonlyMap<string, Known>;

/** Reads these affiliates and their uplines, and what changed of them since `from`. */
export async function findPeople(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { ids, from }: { ids: readonly string[]; from: Date },
): Promise<People> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Known>`
    with named as (
      select id, parent_affiliate_id from affiliates where program_id = ${programId} and id = any(${ids}::uuid[])
      union all
      select affiliate_id, parent_affiliate_id from affiliate_past_terms
      where program_id = ${programId} and affiliate_id = any(${ids}::uuid[]) and valid_until > ${from}
    )
    select person.id, person.status, person.email, person.group_id, person.parent_affiliate_id as parent_id,
      person.commission_override_type as type, person.commission_override_rate::float8 as rate, tier.hold_days,
      coalesce((
        select json_agg(json_build_object('until', past.valid_until, 'status', past.status, 'groupId', past.group_id,
          'parentId', past.parent_affiliate_id, 'type', past.commission_override_type, 'rate', past.commission_override_rate)
          order by past.valid_until, past.id)
        from affiliate_past_terms as past
        where past.program_id = person.program_id and past.affiliate_id = person.id and past.valid_until > ${from}
      ), '[]'::json) as past
    from affiliates as person left join groups as tier on tier.program_id = person.program_id and tier.id = person.group_id
    where person.program_id = ${programId}
      and person.id in (select id from named union select parent_affiliate_id from named)`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, { ...row, past: row.past.map((one) => ({ ...one, until: toIso(one.until) })) }]));
}

/** Whether an affiliate may be credited: by their status now, so that a suspended one is not paid for old orders either. */
export function isActive(people: People, id: string): boolean {
  return people.get(id)?.status === 'active';
}

/** An affiliate and their upline as they were at that time; null when the id is not found. */
export function personAt(people: People, id: string, at: Date): Person | null {
  const known = people.get(id);
  if (!known) return null;
  const { parentId } = termsAt(known, at);
  const upline = parentId === null ? undefined : people.get(parentId);
  return { ...toPerson(known, at), upline: upline ? toPerson(upline, at) : null };
}

function toPerson(known: Known, at: Date): Person {
  const { status, groupId, type, rate } = termsAt(known, at);
  const override: CommissionRate | null = (type === 'percentage' || type === 'flat') && rate !== null ? { type, rate } : null;
  return { id: known.id, email: known.email, holdDays: known.holdDays, status, groupId, override, upline: null };
}

function termsAt(known: Known, at: Date): Terms {
  return known.past.find(({ until }) => until > at.toISOString()) ?? known;
}

/** JSON made by PostgreSQL has times in another form of ISO 8601. */
function toIso(time: string): string {
  return new Date(time).toISOString();
}
