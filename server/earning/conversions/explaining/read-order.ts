// Everything that the explanation of an order reads: the stored decision, its commissions with payouts and holds, refunds,
// fraud alerts, the versions of the rules that were considered, and the names of affiliates.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { OrderFacts } from '../../commission-rules/order-facts.ts';
import { Rule } from '../../commission-rules/terms.ts';
import { StoredDecision } from '../stored-decision.ts';

type Db = Pick<Context, 'db'>;
type Owner = { programId: string; conversionId: string };

export type CommissionOfOrder = {
  id: string;
  kind: string;
  level: number;
  affiliateId: string;
  ruleId: string | null;
  source: string | null;
  positions: number[];
  status: string;
  amountCents: number;
  reversedCents: number;
  settledCents: number;
  inTransitCents: number;
  note: string | null;
  movedAt: Date | null;
  maturesAt: Date;
  maturedAt: Date | null;
  sentAt: Date | null;
  paidAt: Date | null;
  holds: { cause: string; reason: string | null; openedAt: string }[];
  createdAt: Date;
};

/** The order with its stored decision. */
export async function readStoredOrder({ db }: Db, { programId, conversionId }: Owner) {
  const row = await db
    .selectFrom('conversions')
    .innerJoin('conversionSummaries as summary', (join) =>
      join.on('summary.programId', '=', programId).onRef('summary.id', '=', 'conversions.id'),
    )
    .select(['conversions.id', 'orderId', 'conversions.affiliateId', 'currency', 'facts', 'decision', 'summary.status'])
    .select(['conversions.amountCents', 'conversions.refundedCents', 'conversions.occurredAt', 'conversions.createdAt'])
    .where('conversions.programId', '=', programId)
    .where('conversions.id', '=', conversionId)
    .executeTakeFirstOrThrow();
  return { ...row, facts: OrderFacts.parse(row.facts), decision: StoredDecision.parse(row.decision) };
}
export type StoredOrder = Awaited<ReturnType<typeof readStoredOrder>>;

/** The commissions of the order and their adjustments, as they were recorded. */
export async function readCommissions({ db }: Db, { programId, conversionId }: Owner): Promise<CommissionOfOrder[]> {
  const { rows } = await sql<CommissionOfOrder>`
    select commission.id, kind, level, commission.affiliate_id, rule_id, source, positions, commission.status, commission.amount_cents,
      reversed_cents, settled_cents, commission.note, commission.moved_at, matures_at, commission.created_at,
      coalesce(sum(line.cents) filter (where line.is_live), 0)::bigint as in_transit_cents,
      max(payout.created_at) filter (where line.is_live) as sent_at,
      max(payout.settled_at) filter (where payout.status = 'paid') as paid_at,
      (select min(event.created_at) from commission_events as event where event.program_id = ${programId}
        and event.commission_id = commission.id and event.to_status = 'approved') as matured_at,
      (select coalesce(json_agg(json_build_object('cause', hold.cause, 'reason', hold.reason, 'openedAt', hold.opened_at)), '[]')
        from commission_holds as hold
        where hold.program_id = ${programId} and hold.commission_id = commission.id and hold.closed_at is null) as holds
    from commissions as commission
      left join payout_lines as line on line.program_id = ${programId} and line.commission_id = commission.id
      left join payouts as payout on payout.program_id = ${programId} and payout.id = line.payout_id
    where commission.program_id = ${programId} and commission.conversion_id = ${conversionId}
    group by commission.program_id, commission.id
    order by level, commission.id`.execute(db);
  return rows;
}

export type ChangeOfOrder = {
  id: string;
  kind: 'moved' | 'increased' | 'cancelled';
  fromAffiliateId: string | null;
  toAffiliateId: string | null;
  amountCents: number;
  reversedCents: number;
  note: string | null;
  actor: Actor & { name: string | null };
  createdAt: Date;
};

/** The moves, increases and the cancellation of the order, with what each reversed permanently. */
export async function readChanges({ db }: Db, { programId, conversionId }: Owner): Promise<ChangeOfOrder[]> {
  const { rows } = await sql<ChangeOfOrder>`
    select change.id, change.kind, change.from_affiliate_id, change.to_affiliate_id, change.amount_cents, change.note, change.created_at,
      json_build_object('kind', change.actor_kind, 'id', change.actor_id, 'name', case when change.actor_kind = 'user' then (select coalesce(name, email) from users where id::text = change.actor_id)
        when change.actor_kind = 'api_key' then (select name from api_keys
          where api_keys.program_id = ${programId} and id::text = change.actor_id) end) as actor,
      coalesce((select sum(case when entry.credit = 'commissions' then entry.cents else -entry.cents end)
        from commissions as commission join ledger_entries as entry on entry.program_id = ${programId}
          and entry.kind = 'reverse' and entry.ref = 'moved:' || change.id || ':' || commission.id
        where commission.program_id = ${programId} and commission.conversion_id = change.conversion_id), 0)::bigint as reversed_cents
    from order_changes as change
    where change.program_id = ${programId} and change.conversion_id = ${conversionId} order by change.id`.execute(db);
  return rows;
}

type RefundOfOrder = {
  id: string;
  refundId: string;
  reason: string;
  amountCents: number;
  /** In the currency of an order that was converted. */
  originalCents: number | null;
  reversedCents: number;
  occurredAt: Date;
  undoneAt: Date | null;
};

/** The refunds of the order, with what each reversed according to the ledger. */
export async function readRefunds({ db }: Db, { programId, conversionId }: Owner): Promise<RefundOfOrder[]> {
  const { rows } = await sql<RefundOfOrder>`
    select refund.id, refund.external_id as refund_id, refund.reason, refund.amount_cents, refund.original_cents,
      refund.occurred_at, refund.undone_at,
      coalesce(sum(case when entry.credit = 'commissions' then entry.cents else -entry.cents end), 0)::bigint as reversed_cents
    from refunds as refund
      left join commissions as commission on commission.program_id = ${programId} and commission.conversion_id = refund.conversion_id
      left join ledger_entries as entry on entry.program_id = ${programId} and entry.kind = 'reverse'
        and entry.ref = refund.id || ':' || commission.id
    where refund.program_id = ${programId} and refund.conversion_id = ${conversionId}
    group by refund.program_id, refund.id order by refund.occurred_at, refund.id`.execute(db);
  return rows;
}

/** What was refunded of each line, by position; `originalCents` in the currency of an order that was converted. */
export type RefundedLines = ReadonlyMap<number, { cents: number; originalCents: number | null }>;

/** The refunded amount of each line, without refunds that were undone. */
export async function readRefundedLines({ db }: Db, { programId, conversionId }: Owner): Promise<RefundedLines> {
  const { rows } = await sql<{ position: number; cents: number; originalCents: number | null }>`
    select line.position, sum(line.amount_cents)::bigint as cents, sum(line.original_cents)::bigint as original_cents
    from refunds as refund join refund_lines as line on line.program_id = ${programId} and line.refund_id = refund.id
    where refund.program_id = ${programId} and refund.conversion_id = ${conversionId} and refund.undone_at is null
    group by line.position`.execute(db);
  return new Map(rows.map(({ position, ...amounts }) => [position, amounts]));
}

/** Versions of rules, by `toVersionKey`. Versions never change, so their terms are those that were considered. */
export async function readRuleVersions({ db }: Db, programId: string, { lines }: StoredDecision): Promise<Map<string, Rule>> {
  const named = lines.flatMap(({ candidates }) => candidates.flatMap(({ ruleId, version }) => (ruleId ? [{ ruleId, version }] : [])));
  if (named.length === 0) return new Map();
  const { rows } = await sql<{ rule: unknown }>`
    select version.rule from commission_rule_versions as version
      join (select distinct "ruleId", version from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as row ("ruleId" uuid, version integer))
        as named on named."ruleId" = version.rule_id and named.version = version.version
    where version.program_id = ${programId}`.execute(db);
  return new Map(rows.map(({ rule }) => Rule.parse(rule)).map((rule) => [toVersionKey(rule.id, rule.version), rule]));
}

export function toVersionKey(ruleId: string | null, version: number | null): string {
  return `${ruleId} ${version}`;
}

export type NamedAffiliate = { id: string; name: string; status: string; groupName: string | null };

/** The affiliates by id, with the names of their groups as they are now. */
export async function readAffiliates({ db }: Db, programId: string, ids: readonly string[]): Promise<NamedAffiliate[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<NamedAffiliate>`
    select affiliate.id, trim(affiliate.first_name || ' ' || affiliate.last_name) as name, affiliate.status, tier.name as group_name
    from affiliates as affiliate left join groups as tier on tier.program_id = ${programId} and tier.id = affiliate.group_id
    where affiliate.program_id = ${programId} and affiliate.id = any(${[...new Set(ids)]}::uuid[])
    order by affiliate.id`.execute(db);
  return rows;
}
