// Reporting a lead: a sign-up or another step before a purchase.
import { z } from 'zod';
import { toConflict } from '../../platform/db/constraints.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuidOut } from '../../platform/http/declaration/fields.ts';
import { type ApiError, Conflict, Invalid, NotFound, NothingToDo } from '../../platform/lib/errors.ts';
import { LeadShape } from '../customers/lead.ts';
import { AttributionMethod } from '../orders/conversion-shape.ts';
import { type LeadOutcome, recordLead } from './record-lead.ts';
import { ReportedLead } from './reported-lead.ts';

export const reportLead = endpoint({
  id: 'leads.report',
  route: 'POST /v1/leads',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Leads',
  summary: 'Report a lead',
  description:
    'Credits the lead to an affiliate by the same attribution signals as an order, and binds its customer to them: later orders of ' +
    'the customer without another signal are credited to this affiliate. A customer who is bound already stays bound to the first ' +
    'affiliate. A commission rule with `event: "lead"` determines what the lead earns; without one, it earns nothing. Idempotent on ' +
    '`externalId`: reporting a lead again returns 409 with the `leadId` of the first report, and has no other effect.',
  body: ReportedLead,
  statuses: [201],
  result: LeadShape,
  errors: [
    { status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' },
    {
      status: 409,
      code: 'lead_recorded',
      when: 'The lead is already recorded. Treat it as success.',
      facts: z.object({ leadId: uuidOut, externalId: z.string() }),
    },
    {
      status: 422,
      code: 'no_affiliate_to_credit',
      when: 'No affiliate can be credited. Nothing is stored, and a corrected report can still succeed.',
      facts: z.object({
        externalId: z.string(),
        reason: z.string().describe('Why the first signal was not credited; `no_signal` if the lead has none.'),
        signals: z.array(z.object({ signal: AttributionMethod, outcome: z.string() })),
      }),
    },
  ],
  async handle(tx, { actor, body }) {
    const outcome = await recordLead(tx, actor.programId, body, actor);
    if (outcome.kind !== 'credited') throw toError(outcome, body.externalId);
    return outcome.lead;
  },
});

function toError(outcome: Exclude<LeadOutcome, { kind: 'credited' }>, externalId: string): ApiError {
  if (outcome.kind === 'duplicate') {
    const { code, message } = toConflict('leads_external_id_unique');
    return new Conflict(code, message, { leadId: outcome.leadId, externalId });
  }
  if (outcome.kind === 'unattributed') {
    const signals = outcome.signals.map(({ signal, outcome: result }) => ({ signal, outcome: result }));
    const message = 'No affiliate can be credited for this lead. A corrected report can still succeed.';
    return new NothingToDo('no_affiliate_to_credit', message, { externalId, reason: outcome.reason, signals });
  }
  if (outcome.reason === 'affiliate_not_found') return new NotFound('affiliateId');
  return new Invalid([{ path: ['occurredAt'], message: 'must not be in the future' }]);
}
