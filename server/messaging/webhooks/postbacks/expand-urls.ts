// The URLs of postbacks that are due: reads the values of their macros, for many deliveries in one query. Clicks, sub IDs
// and coupons are filled in only for the affiliate who was credited for the order first, so that none sees another's.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { isOnNode } from '../../../platform/db/cluster/of-program.ts';
import type { Events } from '../../../platform/db/schema.gen.ts';
import { toDecimal } from '../../../platform/lib/currency.ts';
import { testEventType } from '../event-filter.ts';
import { expand, type MacroValues, macroNames, macros } from './macros.ts';

type Event = Selectable<Events>;

/** A delivery of a postback: its template, its event, and the name of the event that the affiliate chose. */
export type Due = { deliveryId: string; affiliateId: string; template: string; eventType: string; event: Event };

/** The URL of each delivery, by its id. */
export async function expandUrls(ctx: Pick<Context, 'db' | 'allProgramsDb'>, due: readonly Due[]): Promise<Map<string, string>> {
  if (due.length === 0) return new Map();
  const orders = await readOrders(ctx, due);
  return new Map(
    due.map((one) => {
      const values = one.eventType === testEventType ? macros : toValues(one, orders.get(one.deliveryId) ?? null);
      return [one.deliveryId, expand(one.template, values)];
    }),
  );
}

type Order = {
  deliveryId: string;
  conversionId: string | null;
  clickId: string | null;
  subIds: string[];
  linkName: string | null;
  couponCode: string | null;
};

/** The orders and leads that the events are about, where the affiliate of the postback is the one who brought them. */
async function readOrders(ctx: Pick<Context, 'db' | 'allProgramsDb'>, due: readonly Due[]): Promise<Map<string, Order>> {
  const column = (pick: (one: Due) => string | null) => due.map(pick);
  const isOf = (table: string) => isOnNode(ctx, `${table}.programId`, due[0]?.event.programId ?? '');
  const { rows } = await sql<Order>`
    with due as (
      select * from unnest(${column(({ event }) => event.programId)}::uuid[], ${column(({ deliveryId }) => deliveryId)}::uuid[],
        ${column(({ affiliateId }) => affiliateId)}::uuid[], ${column(({ event }) => conversionIdOf(event))}::uuid[],
        ${column(({ event }) => leadIdOf(event))}::uuid[]) as due (program_id, delivery_id, affiliate_id, conversion_id, lead_id)
    ), brought as (
      select due.*, sold.click_id, sold.coupon_id, sold.sub_id, sold.sub_ids from due
      join conversions as sold on sold.program_id = due.program_id and sold.id = due.conversion_id
        and sold.facts -> 'affiliate' ->> 'id' = due.affiliate_id::text and ${isOf('sold')}
      union all
      select due.*, lead.click_id, lead.coupon_id, coalesce(lead.sub_id, visit.sub_ids[1]),
        coalesce(lead.sub_id, visit.sub_ids[1], '') || coalesce(visit.sub_ids[2:], '{}') from due
      join leads as lead on lead.program_id = due.program_id and lead.id = due.lead_id and lead.affiliate_id = due.affiliate_id
        and ${isOf('lead')}
      left join clicks as visit on visit.program_id = due.program_id and visit.id = lead.click_id and visit.affiliate_id = due.affiliate_id
        and ${isOf('visit')}
    )
    select brought.delivery_id, brought.conversion_id, brought.click_id, brought.sub_ids, link.name as link_name, coupon.code as coupon_code
    from brought
    left join affiliate_links as link on link.program_id = brought.program_id and link.affiliate_id = brought.affiliate_id
      and link.sub_id = brought.sub_id and ${isOf('link')}
    left join coupons as coupon on coupon.program_id = brought.program_id and coupon.id = brought.coupon_id
      and coupon.affiliate_id = brought.affiliate_id and ${isOf('coupon')}`.execute(ctx.db);
  return new Map(rows.map((row) => [row.deliveryId, row]));
}

const Conversion = z.object({
  status: z.string(),
  currency: z.string(),
  commissions: z.array(z.object({ affiliateId: z.string(), amountCents: z.number() })),
});
const Commission = z.object({
  conversionId: z.string().nullable(),
  leadId: z.string().nullable().optional(),
  status: z.string(),
  currency: z.string(),
  amountCents: z.number(),
  reversedCents: z.number(),
});
const Previous = z.object({ reversedCents: z.number().optional() }).nullable();

function conversionIdOf({ objectType, objectId, data }: Event): string | null {
  if (objectType === 'conversion') return objectId;
  return objectType === 'commission' ? Commission.parse(data).conversionId : null;
}

function leadIdOf({ objectType, objectId, data }: Event): string | null {
  if (objectType === 'lead') return objectId;
  return objectType === 'commission' ? (Commission.parse(data).leadId ?? null) : null;
}

function toValues(due: Due, order: Order | null): MacroValues {
  const { event } = due;
  const none = Object.fromEntries(macroNames.map((name) => [name, ''])) as MacroValues;
  const [sub1 = '', sub2 = '', sub3 = '', sub4 = '', sub5 = ''] = order?.subIds ?? [];
  const origin = { click_id: order?.clickId ?? '', link_name: order?.linkName ?? '', coupon_code: order?.couponCode ?? '' };
  const happened = {
    event: due.eventType,
    event_id: event.id,
    timestamp: String(Math.floor(event.createdAt.getTime() / 1000)),
    datetime: event.createdAt.toISOString(),
    conversion_id: order?.conversionId ?? '',
    commission_id: event.objectType === 'commission' ? event.objectId : '',
  };
  return { ...none, ...happened, ...origin, sub1, sub2, sub3, sub4, sub5, ...toMoney(due) };
}

/** What the affiliate earned, lost or was paid by the event. */
function toMoney({ affiliateId, eventType, event }: Due): Pick<MacroValues, 'status' | 'amount' | 'amount_cents' | 'currency'> {
  if (event.objectType === 'conversion' || event.objectType === 'lead') {
    const { status, currency, commissions } = Conversion.parse(event.data);
    const own = commissions.filter((commission) => commission.affiliateId === affiliateId);
    return formatMoney(
      own.reduce((sum, { amountCents }) => sum + amountCents, 0),
      status,
      currency,
    );
  }
  const { status, currency, amountCents, reversedCents } = Commission.parse(event.data);
  const reversedBefore = Previous.parse(event.previous)?.reversedCents;
  const lost = status === 'rejected' ? amountCents : reversedCents - (reversedBefore ?? 0);
  return formatMoney(eventType === 'commission.reversed' ? lost : amountCents - reversedCents, status, currency);
}

function formatMoney(cents: number, status: string, currency: string) {
  return { status, currency, amount_cents: String(cents), amount: toDecimal(cents, currency) };
}
