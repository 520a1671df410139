// Leads, filtered, and one of them with the explanation of what it earns.
import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { LeadShape, LeadStatus, leadExample, leadSlot, readLeads } from '../customers/lead.ts';
import { readLeadSentences } from './explain.ts';

export const listLeads = endpoint({
  id: 'leads.list',
  route: 'GET /v1/programs/:programId/leads',
  scope: 'read',
  tag: 'Leads',
  summary: 'List leads',
  query: z.object({
    status: oneOf(LeadStatus),
    affiliateId: uuid.optional(),
    customerId: uuid.optional(),
    externalId: externalIdentifier(255).optional(),
    subId: externalIdentifier(100).optional(),
    ...timeRange('occurred'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'occurredAt'),
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: cursorListOf('leads', LeadShape, 'LeadList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, occurredFrom, occurredTo, createdFrom, createdTo, limit, offset, expand } = query;
    let leads = ctx.db.selectFrom('leads').where('programId', '=', programId);
    for (const column of ['affiliateId', 'customerId', 'externalId', 'subId'] as const) {
      const value = query[column];
      if (value !== undefined) leads = leads.where(column, '=', value);
    }
    if (status?.length === 1) leads = leads.where('rejectedAt', status[0] === 'rejected' ? 'is not' : 'is', null);
    leads = leads.where(withinRange('occurredAt', occurredFrom, occurredTo)).where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(leads, query, (found) => found.select('id'));
    const ids = rows.map(({ id }) => id);
    const shown = await readLeads(ctx, programId, ids);
    const expanded = expand.has('affiliate') ? shown.map(({ affiliateId }) => affiliateId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, expanded);
    return { leads: shown.map((lead) => ({ ...lead, affiliate: affiliates.get(lead.affiliateId) })), total, limit, offset, nextCursor };
  },
});

const sentence = 'Ada Lovelace is credited, by the click 01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a.';

const ExplainedLead = LeadShape.extend({
  sentences: z.array(z.string()).describe('Why the affiliate was credited, and what they earn.'),
}).meta({ id: 'ExplainedLead', example: { ...leadExample, sentences: [sentence] } });

export const getLead = endpoint({
  id: 'leads.get',
  route: 'GET /v1/programs/:programId/leads/:id',
  scope: 'read',
  tag: 'Leads',
  summary: 'Get a lead',
  description: 'Returns the lead with an explanation of who was credited and what they earn.',
  path: { id: leadSlot },
  query: z.object({ expand: expandable('affiliate') }),
  statuses: [200],
  result: ExplainedLead,
  async handle(ctx, { actor: { programId }, params: { id }, query: { expand } }) {
    const [lead] = await readLeads(ctx, programId, [id]);
    if (!lead) throw new Error('The lead was found before and is missing now.');
    const affiliates = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? [lead.affiliateId] : []);
    return { ...lead, affiliate: affiliates.get(lead.affiliateId), sentences: await readLeadSentences(ctx, programId, id) };
  },
});
