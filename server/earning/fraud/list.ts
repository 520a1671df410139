// Fraud alerts, filtered, and one of them.
import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { FraudEventShape, FraudKind, FraudStatus, fraudEventSlot, toFraudEvent } from './fraud-event.ts';

export const listFraudEvents = endpoint({
  id: 'fraudEvents.list',
  route: 'GET /v1/programs/:programId/fraud-events',
  scope: 'read',
  tag: 'Fraud',
  summary: 'List fraud alerts',
  query: z.object({
    status: oneOf(FraudStatus),
    kind: oneOf(FraudKind),
    affiliateId: uuid.optional(),
    conversionId: uuid.optional(),
    leadId: uuid.optional(),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: cursorListOf('fraudEvents', FraudEventShape, 'FraudEventList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, kind, affiliateId, conversionId, leadId, createdFrom, createdTo, limit, offset, expand } = query;
    let events = ctx.db.selectFrom('fraudEvents').where('programId', '=', programId);
    if (status) events = events.where('status', 'in', status);
    if (kind) events = events.where('kind', 'in', kind);
    if (affiliateId) events = events.where('affiliateId', '=', affiliateId);
    if (conversionId) events = events.where('conversionId', '=', conversionId);
    if (leadId) events = events.where('leadId', '=', leadId);
    events = events.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(events, query, (found) => found.selectAll());
    const expanded = expand.has('affiliate') ? rows.map((row) => row.affiliateId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, expanded);
    return {
      fraudEvents: rows.map((row) => ({ ...toFraudEvent(row), affiliate: affiliates.get(row.affiliateId) })),
      total,
      limit,
      offset,
      nextCursor,
    };
  },
});

export const getFraudEvent = endpoint({
  id: 'fraudEvents.get',
  route: 'GET /v1/programs/:programId/fraud-events/:id',
  scope: 'read',
  tag: 'Fraud',
  summary: 'Get a fraud alert',
  path: { id: fraudEventSlot },
  query: z.object({ expand: expandable('affiliate') }),
  statuses: [200],
  result: FraudEventShape,
  async handle(ctx, { actor: { programId }, params: { id }, query: { expand } }) {
    const events = ctx.db.selectFrom('fraudEvents').selectAll().where('programId', '=', programId);
    const event = await events.where('id', '=', id).executeTakeFirstOrThrow();
    const affiliates = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? [event.affiliateId] : []);
    return { ...toFraudEvent(event), affiliate: affiliates.get(event.affiliateId) };
  },
});
