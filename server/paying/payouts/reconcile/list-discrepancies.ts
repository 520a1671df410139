// Lists the discrepancies between the payouts and the providers' records.
import { z } from 'zod';
import { findProviderReferences } from '../../../connections/providers/reference.ts';
import { findAffiliateReferences } from '../../../partners/affiliates/reference.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../../platform/http/declaration/lists.ts';
import { findPayoutReferences } from '../payout.ts';
import {
  DiscrepancyKind,
  DiscrepancyShape,
  DiscrepancyStatus,
  discrepancySlot,
  selectDiscrepancies,
  toDiscrepancy,
} from './discrepancy.ts';

export const listDiscrepancies = endpoint({
  id: 'payoutDiscrepancies.list',
  route: 'GET /v1/programs/:programId/payouts/discrepancies',
  scope: 'read',
  tag: 'Payouts',
  summary: 'List discrepancies',
  description: "Differences between the payouts and the providers' records. An open discrepancy locks the payouts of the program.",
  query: z.object({
    status: oneOf(DiscrepancyStatus),
    kind: oneOf(DiscrepancyKind),
    providerId: uuid.optional(),
    payoutId: uuid.optional(),
    affiliateId: uuid.optional(),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
    expand: expandable('affiliate', 'provider', 'payout'),
  }),
  statuses: [200],
  result: cursorListOf('discrepancies', DiscrepancyShape, 'PayoutDiscrepancyList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, kind, providerId, payoutId, affiliateId, createdFrom, createdTo, limit, offset, expand } = query;
    let found = ctx.db.selectFrom('payoutDiscrepancies').where('programId', '=', programId);
    if (status && !status.includes('resolved')) found = found.where('resolvedAt', 'is', null);
    if (status && !status.includes('open')) found = found.where('resolvedAt', 'is not', null);
    if (kind) found = found.where('kind', 'in', kind);
    if (providerId) found = found.where('providerId', '=', providerId);
    if (payoutId) found = found.where('payoutId', '=', payoutId);
    if (affiliateId) found = found.where('affiliateId', '=', affiliateId);
    found = found.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(found, query, (filtered) => filtered.selectAll());
    const affiliateIds = expand.has('affiliate') ? rows.flatMap((row) => row.affiliateId ?? []) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, affiliateIds);
    const providers = await findProviderReferences(ctx, programId, expand.has('provider') ? rows.map((row) => row.providerId) : []);
    const payouts = await findPayoutReferences(ctx, programId, expand.has('payout') ? rows.flatMap((row) => row.payoutId ?? []) : []);
    const discrepancies = rows.map((row) => ({
      ...toDiscrepancy(row),
      affiliate: affiliates.get(row.affiliateId ?? ''),
      provider: providers.get(row.providerId),
      payout: payouts.get(row.payoutId ?? ''),
    }));
    return { discrepancies, total, limit, offset, nextCursor };
  },
});

export const getDiscrepancy = endpoint({
  id: 'payoutDiscrepancies.get',
  route: 'GET /v1/programs/:programId/payouts/discrepancies/:id',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get a discrepancy',
  path: { id: discrepancySlot },
  statuses: [200],
  result: DiscrepancyShape,
  async handle(ctx, { actor: { programId }, params: { id } }) {
    return toDiscrepancy(await selectDiscrepancies(ctx, programId).where('id', '=', id).executeTakeFirstOrThrow());
  },
});
