// Reads conversions as the API returns them, by their ids.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import {
  AttributionMethod,
  type Conversion,
  type EarnedShape,
  readOrderExchange,
  SignalOutcome,
  toStatus,
  Warning,
} from './conversion-shape.ts';

type Stored = Pick<Conversion, 'id' | 'orderId' | 'affiliateId' | 'amountCents' | 'refundedCents' | 'currency' | 'subId'> & {
  holdReasons: string[];
  method: string;
  clickId: string | null;
  couponId: string | null;
  clickedAt: Date | null;
  conflict: unknown;
  exchange: unknown;
  warnings: unknown;
  occurredAt: Date;
  createdAt: Date;
  commissions: z.input<typeof EarnedShape>[];
};

/** Conversions by id, in the order of the ids. */
export async function readConversions(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Conversion[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Stored>`
    select v.id, v.order_id, v.affiliate_id, v.amount_cents, v.refunded_cents, v.currency, v.method, v.click_id, v.coupon_id, v.clicked_at,
      v.conflict, v.sub_id, v.decision -> 'warnings' as warnings, v.facts -> 'exchange' as exchange, v.occurred_at, v.created_at,
      coalesce(earned.list, '[]'::json) as commissions,
      array(
        select distinct case hold.cause when 'fraud_event' then hold.reason else hold.cause end as reason
        from commissions as held
        join commission_holds as hold on hold.program_id = ${programId} and hold.commission_id = held.id and hold.closed_at is null
        where held.program_id = ${programId} and held.conversion_id = v.id and held.kind = 'order' and held.moved_at is null
          and held.status = 'held'
        order by reason) as hold_reasons
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
      join conversions as v on v.program_id = ${programId} and v.id = wanted.id
      left join lateral (
        select json_agg(json_build_object('id', c.id, 'affiliateId', c.affiliate_id, 'level', c.level, 'amountCents', c.amount_cents,
          'reversedCents', c.reversed_cents, 'type', c.type, 'rate', c.rate, 'source', c.source, 'ruleId', c.rule_id,
          'ruleVersion', c.rule_version, 'productId', c.product_id, 'status', c.status, 'maturesAt', c.matures_at) order by c.level, c.id) as list
        from commissions as c where c.program_id = ${programId} and c.conversion_id = v.id and c.kind = 'order' and c.moved_at is null
      ) as earned on true
    order by wanted.place`.execute(ctx.db);
  return rows.map(toConversion);
}

function toConversion({ method, clickId, couponId, clickedAt, conflict, warnings, exchange, ...row }: Stored): Conversion {
  // JSON made by PostgreSQL has times in another form of ISO 8601.
  const commissions = row.commissions.map((one) => ({ ...one, maturesAt: new Date(one.maturesAt).toISOString() }));
  return {
    ...row,
    commissions,
    exchange: readOrderExchange(exchange),
    reversedCents: sumForDisplay(commissions.map(({ reversedCents }) => reversedCents)),
    status: toStatus(commissions),
    commissionCents: sumForDisplay(commissions.map(({ amountCents }) => amountCents)),
    attribution: {
      method: AttributionMethod.parse(method),
      clickId,
      couponId,
      clickedAt: clickedAt?.toISOString() ?? null,
      conflict: z.array(SignalOutcome).nullable().parse(conflict),
    },
    warnings: z.array(Warning).parse(warnings),
    occurredAt: row.occurredAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
