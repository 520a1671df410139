// The affiliates that an order's hints name, with what the calculation needs of them and their uplines.
import { sql } from 'kysely';
import type { Earner, Pay } from '../../commission-rules/facts.ts';
import type { Context } from '../../context.ts';

export type Person = Earner & {
  status: string;
  email: string;
  /** The hold of their group, or null for the program's. */
  holdDays: number | null;
  upline: Person | null;
};

type Row = {
  id: string;
  status: string;
  email: string;
  groupId: string | null;
  parentId: string | null;
  type: string | null;
  rate: string | null;
  holdDays: number | null;
};

/** These affiliates and their uplines, by id. Ids of other programs are simply not there. */
export async function findPeople(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    with named as (select id, parent_affiliate_id from affiliates where program_id = ${programId} and id = any(${ids}::uuid[]))
    select person.id, person.status, person.email, person.group_id, person.parent_affiliate_id as parent_id,
      person.commission_override_type as type, person.commission_override_rate as rate, tier.hold_days
    from affiliates as person left join groups as tier on tier.program_id = person.program_id and tier.id = person.group_id
    where person.program_id = ${programId}
      and person.id in (select id from named union select parent_affiliate_id from named)`.execute(ctx.db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const wanted = new Set(ids);
  return new Map(
    rows.filter(({ id }) => wanted.has(id)).map((row) => [row.id, toPerson(row, row.parentId ? (byId.get(row.parentId) ?? null) : null)]),
  );
}

function toPerson({ type, rate, parentId: _, ...row }: Row, upline: Row | null): Person {
  const override: Pay | null = type === 'percentage' || type === 'flat' ? { type, rate: Number(rate) } : null;
  return { ...row, override, upline: upline && toPerson(upline, null) };
}
