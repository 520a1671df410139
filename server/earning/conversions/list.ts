// Lists of conversions, and reading one. The filter by status follows the rule of the status that is shown.
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import type { DB } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { page, uuid } from '../../platform/http/declaration/fields.ts';
import { expandable, findPage, listOf, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import {
  AttributionMethod,
  type Conversion,
  ConversionShape,
  ConversionStatus,
  conversionSlot,
  type EarnedShape,
  SignalOutcome,
  statusPrecedence,
  toStatus,
  Warning,
} from './conversion.ts';

export const listConversions = endpoint({
  id: 'conversions.list',
  route: 'GET /v1/programs/:programId/conversions',
  scope: 'read',
  tag: 'Conversions',
  summary: 'List conversions',
  query: z.object({
    status: oneOf(ConversionStatus),
    method: oneOf(AttributionMethod),
    affiliateId: uuid.optional(),
    couponId: uuid.optional(),
    clickId: uuid.optional(),
    orderId: externalIdentifier(255).optional(),
    subId: externalIdentifier(100).optional(),
    conflict: z.enum(['true', 'false']).optional().describe('Whether another affiliate could have been credited.'),
    ...timeRange('occurred'),
    ...timeRange('created'),
    ...page,
    sort: sortBy('createdAt', 'occurredAt', 'amountCents'),
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: listOf('conversions', ConversionShape, 'ConversionList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, method, conflict, limit, offset, expand } = query;
    let found = ctx.db.selectFrom('conversions as conversion').where('conversion.programId', '=', programId);
    for (const column of ['affiliateId', 'couponId', 'clickId', 'orderId', 'subId'] as const) {
      const value = query[column];
      if (value !== undefined) found = found.where(`conversion.${column}`, '=', value);
    }
    if (method) found = found.where('conversion.method', 'in', method);
    if (conflict) found = found.where('conversion.conflict', conflict === 'true' ? 'is not' : 'is', null);
    if (status) found = found.where((query) => query.or(status.map((one) => hasStatus(query, one))));
    found = found.where(withinRange('conversion.occurredAt', query.occurredFrom, query.occurredTo));
    found = found.where(withinRange('conversion.createdAt', query.createdFrom, query.createdTo));
    const { rows, total } = await findPage(found, { ...query, table: 'conversion' }, (all) => all.select('conversion.id'));
    const ids = rows.map(({ id }) => id);
    const conversions = await readConversions(ctx, programId, ids);
    const expanded = expand.has('affiliate') ? conversions.map(({ affiliateId }) => affiliateId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, expanded);
    return {
      conversions: conversions.map((one) => ({ ...one, affiliate: affiliates.get(one.affiliateId) })),
      total,
      limit,
      offset,
    };
  },
});

export const getConversion = endpoint({
  id: 'conversions.get',
  route: 'GET /v1/programs/:programId/conversions/:id',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Get a conversion',
  path: { id: conversionSlot },
  query: z.object({ expand: expandable('affiliate') }),
  statuses: [200],
  result: ConversionShape,
  async handle(ctx, { actor: { programId }, params, query: { expand } }) {
    const [conversion] = await readConversions(ctx, programId, [params.id]);
    if (!conversion) throw new Error('The conversion was found before and is missing now.');
    const affiliates = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? [conversion.affiliateId] : []);
    return { ...conversion, affiliate: affiliates.get(conversion.affiliateId) };
  },
});

/** The rule of `toStatus` as a condition: a commission has this status, and none has a status that precedes it. */
function hasStatus(query: ExpressionBuilder<DB & { conversion: DB['conversions'] }, 'conversion'>, status: ConversionStatus) {
  const commissions = query
    .selectFrom('commissions as commission')
    .select('commission.id')
    .whereRef('commission.programId', '=', 'conversion.programId')
    .whereRef('commission.conversionId', '=', 'conversion.id')
    .where('commission.kind', '=', 'order');
  const preceding = statusPrecedence.slice(0, statusPrecedence.indexOf(status));
  const hasOne: Expression<SqlBool> = query.exists(commissions.where('commission.status', '=', status));
  // Without a commission, an order is shown as the status that `toStatus` defaults to.
  const isShown = status === toStatus([]) ? query.or([hasOne, query.not(query.exists(commissions))]) : hasOne;
  if (preceding.length === 0) return isShown;
  return query.and([isShown, query.not(query.exists(commissions.where('commission.status', 'in', preceding)))]);
}

type Stored = Pick<Conversion, 'id' | 'orderId' | 'affiliateId' | 'amountCents' | 'refundedCents' | 'currency' | 'subId'> & {
  method: string;
  clickId: string | null;
  couponId: string | null;
  clickedAt: Date | null;
  conflict: unknown;
  warnings: unknown;
  occurredAt: Date;
  createdAt: Date;
  commissions: z.input<typeof EarnedShape>[];
};

/** Conversions by id, in the order of the ids. */
async function readConversions(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Conversion[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Stored>`
    select v.id, v.order_id, v.affiliate_id, v.amount_cents, v.refunded_cents, v.currency, v.method, v.click_id, v.coupon_id, v.clicked_at,
      v.conflict, v.sub_id, v.decision -> 'warnings' as warnings, v.occurred_at, v.created_at, coalesce(earned.list, '[]'::json) as commissions
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
      join conversions as v on v.program_id = ${programId} and v.id = wanted.id
      left join lateral (
        select json_agg(json_build_object('id', c.id, 'affiliateId', c.affiliate_id, 'level', c.level, 'amountCents', c.amount_cents,
          'reversedCents', c.reversed_cents, 'type', c.type, 'rate', c.rate, 'source', c.source, 'ruleId', c.rule_id,
          'ruleVersion', c.rule_version, 'productId', c.product_id, 'status', c.status, 'maturesAt', c.matures_at) order by c.level, c.id) as list
        from commissions as c where c.program_id = v.program_id and c.conversion_id = v.id and c.kind = 'order'
      ) as earned on true
    order by wanted.place`.execute(ctx.db);
  return rows.map(toConversion);
}

function toConversion({ method, clickId, couponId, clickedAt, conflict, warnings, ...row }: Stored): Conversion {
  // JSON made by PostgreSQL has times in another form of ISO 8601.
  const commissions = row.commissions.map((one) => ({ ...one, maturesAt: new Date(one.maturesAt).toISOString() }));
  return {
    ...row,
    commissions,
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
