// Rejecting a lead, such as a fraudulent sign-up: its commissions are reversed by counter-entries, and a customer whom it
// bound is no longer bound. Orders that were credited before are not changed.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { lockLeadCommissions } from '../commissions/commission.ts';
import { rejectCommissions } from '../commissions/reject.ts';
import type { LockedLedger, Transfer } from '../ledger/post.ts';
import { leadRejected } from './events.ts';
import { readLeads } from './lead.ts';
import { type BindingChange, changeBindings } from './store.ts';

type RejectedBy = { actor: Actor; reason: string; note: string | null };

/** Rejects a lead and returns the transfers to post; null if it is already rejected. The ledger must be locked. */
export async function rejectLead(
  tx: Tx,
  ledger: LockedLedger,
  leadId: string,
  { actor, reason, note }: RejectedBy,
): Promise<{ transfers: Transfer[] } | null> {
  const { programId, timezone } = ledger;
  const { rows } = await sql<{ createdAt: Date }>`
    update leads set rejected_at = ${tx.clock.now()}, rejection_note = ${note}
    where program_id = ${programId} and id = ${leadId} and rejected_at is null returning created_at`.execute(tx.db);
  const [rejected] = rows;
  if (!rejected) return null;
  const commissions = await lockLeadCommissions(tx, programId, leadId);
  const { transfers, reversals } = await rejectCommissions(tx, ledger, commissions, { actor, reason });
  // Commissions of leads count on the day on which the lead was recorded.
  const day = localDate(rejected.createdAt, timezone);
  await addToTotals(
    tx,
    ledger,
    reversals.map((reversal) => ({ ...reversal, day })),
  );
  await unbindCustomer(tx, programId, { leadId, actor });
  const [lead] = await readLeads(tx, programId, [leadId]);
  if (!lead) throw new Error('A lead that was just rejected is missing.');
  const previous = { status: 'recorded' };
  await recordEvent(tx, { programId, actor }, leadRejected.of({ objectId: leadId, affiliateId: lead.affiliateId, data: lead, previous }));
  return { transfers };
}

/** Ends the binding of the customer, if it is this lead that bound them. */
async function unbindCustomer(tx: Tx, programId: string, { leadId, actor }: { leadId: string; actor: Actor }): Promise<void> {
  const { rows } = await sql<{ id: string; affiliateId: string; changes: number }>`
    select customer.id, customer.affiliate_id, customer.changes from customer_bindings as binding
    join customers as customer on customer.program_id = ${programId} and customer.id = binding.customer_id
      and customer.changes = binding.step
    where binding.program_id = ${programId} and binding.lead_id = ${leadId} and binding.source = 'lead'
      and customer.id = (select customer_id from leads where program_id = ${programId} and id = ${leadId})`.execute(tx.db);
  const unbound = rows.map(
    ({ id, affiliateId, changes }): BindingChange => ({
      customerId: id,
      step: changes + 1,
      affiliateId: null,
      previousAffiliateId: affiliateId,
      source: 'lead_rejected',
      method: null,
      boundAt: tx.clock.now(),
      leadId,
      actor,
    }),
  );
  await changeBindings(tx, programId, unbound);
}
