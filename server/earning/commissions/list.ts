// Commissions, filtered, with the objects that `expand` requests.
import { sql } from 'kysely';
import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { page, uuid } from '../../platform/http/declaration/fields.ts';
import { countRows, expandable, listOf, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { afterStart, findSlice } from '../../platform/http/declaration/slice.ts';
import { findProductReferences } from '../../promotion/catalogue/product.ts';
import { findRuleReferences } from '../commission-rules/rule-reference.ts';
import { CommissionKind, CommissionShape, CommissionStatus, selectCommissions, toCommission } from './commission.ts';
import { commissionLandmarks, countCommissions } from './counts/commission-counts.ts';

/** The objects whose commissions can be listed. */
const references = ['affiliateId', 'conversionId', 'leadId', 'productId', 'ruleId'] as const;

export const listCommissions = endpoint({
  id: 'commissions.list',
  route: 'GET /v1/programs/:programId/commissions',
  scope: 'read',
  tag: 'Commissions',
  summary: 'List commissions',
  query: z.object({
    status: oneOf(CommissionStatus),
    kind: oneOf(CommissionKind),
    affiliateId: uuid.optional(),
    conversionId: uuid.optional(),
    leadId: uuid.optional(),
    productId: uuid.optional(),
    ruleId: uuid.optional(),
    ...timeRange('created'),
    ...timeRange('matures'),
    ...page,
    sort: sortBy('createdAt', 'updatedAt', 'maturesAt', 'amountCents'),
    expand: expandable('affiliate', 'product', 'rule'),
  }),
  statuses: [200],
  result: listOf('commissions', CommissionShape, 'CommissionList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, kind, createdFrom, createdTo, maturesFrom, maturesTo, limit, offset, sort, expand } = query;
    let commissions = ctx.db.selectFrom('commissions as commission').where('commission.programId', '=', programId);
    if (status) commissions = commissions.where('commission.status', 'in', status);
    if (kind) commissions = commissions.where('commission.kind', 'in', kind);
    const named = references.filter((column) => query[column] !== undefined);
    for (const column of named) commissions = commissions.where(`commission.${column}`, '=', query[column] ?? null);
    commissions = commissions.where(withinRange('commission.createdAt', createdFrom, createdTo));
    commissions = commissions.where(withinRange('commission.maturesAt', maturesFrom, maturesTo));
    const isCounted = named.length === 0 && !maturesFrom && !maturesTo;
    const created = { from: createdFrom, to: createdTo };
    const total = isCounted ? await countCommissions(ctx, programId, { status, kind, created }) : await countRows(commissions);
    const isByDay = isCounted && !createdFrom && !createdTo && sort.column === 'createdAt';
    const findLandmark = isByDay ? commissionLandmarks(ctx, programId, { status, kind }) : undefined;
    const slice = await findSlice({ limit, offset }, total, sort.direction, findLandmark);
    const column = `commission.${sort.column}` as const;
    const near = commissions.where(afterStart(slice, sql.ref(column)));
    const ids = near.select('commission.id').orderBy(column, slice.direction).orderBy('commission.id', slice.direction);
    // The holds and order ids are read for the rows of the page only.
    const rows = await selectCommissions(ctx, programId)
      .where('commission.id', 'in', ids.limit(slice.limit).offset(slice.offset))
      .orderBy(column, sort.direction)
      .orderBy('commission.id', sort.direction)
      .execute();
    const idsFor = (name: 'affiliate' | 'product' | 'rule') => (expand.has(name) ? rows.flatMap((row) => row[`${name}Id`] ?? []) : []);
    const affiliates = await findAffiliateReferences(ctx, programId, idsFor('affiliate'));
    const products = await findProductReferences(ctx, programId, idsFor('product'));
    const rules = await findRuleReferences(ctx, programId, idsFor('rule'));
    const shown = rows.map((row) => ({
      ...toCommission(row),
      affiliate: affiliates.get(row.affiliateId),
      product: products.get(row.productId ?? ''),
      rule: rules.get(row.ruleId ?? ''),
    }));
    return { commissions: shown, total, limit, offset };
  },
});
