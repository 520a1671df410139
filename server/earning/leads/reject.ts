// Rejecting a lead that should not have been credited, such as a fraudulent sign-up.
import { z } from 'zod';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { paragraph } from '../../platform/http/declaration/fields.ts';
import { NothingToDo } from '../../platform/lib/errors.ts';
import { LeadShape, leadExample, leadSlot, readLeads } from '../customers/lead.ts';
import { rejectLead } from '../customers/reject-lead.ts';
import { openLedger, post } from '../ledger/post.ts';

const example = { ...leadExample, status: 'rejected' as const, rejectedAt: leadExample.createdAt, rejectionNote: 'Invented address' };

export const rejectReportedLead = endpoint({
  id: 'leads.reject',
  route: 'POST /v1/programs/:programId/leads/:id/reject',
  scope: 'write',
  requires: 'commissions.write',
  tag: 'Leads',
  summary: 'Reject a lead',
  description:
    'Reverses the commissions of the lead; what was paid is owed back. If the lead bound its customer, they are no longer bound. ' +
    'Orders that were already credited are not affected.',
  path: { id: leadSlot },
  body: z.object({ note: paragraph(2000).nullable().optional() }).meta({ id: 'LeadRejection', example: { note: 'Invented address' } }),
  statuses: [200],
  result: LeadShape.meta({ id: 'RejectedLead', example }),
  errors: [{ status: 422, code: 'lead_rejected', when: 'The lead is already rejected.' }],
  async handle(tx, { actor, params: { id }, body: { note = null } }) {
    const { programId } = actor;
    const ledger = await openLedger(tx, programId);
    const rejected = await rejectLead(tx, ledger, id, { actor, reason: 'lead_rejected', note });
    if (!rejected) throw new NothingToDo('lead_rejected', 'This lead is already rejected.');
    await post(tx, ledger, rejected.transfers);
    await recordChange(tx, { programId, actor, action: 'lead.rejected', subjectId: id, after: { note } });
    const [lead] = await readLeads(tx, programId, [id]);
    if (!lead) throw new Error('A lead that was just rejected is missing.');
    return lead;
  },
});
