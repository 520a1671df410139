// Recording a lead: look up, attribute, calculate, write, post. The ledger is locked first, so that the orders and leads of
// a program are recorded one after the other. The unique index on the external id decides between simultaneous reports.
import type { Tx } from '../../context.ts';
import { recordEvent, recordEventsOf } from '../../messaging/events/record.ts';
import { addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { stopClock } from '../../platform/lib/clock.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import type { CouponTerms } from '../../promotion/coupons/redeem.ts';
import { type Calculation, calculate } from '../commission-rules/calculate.ts';
import { rulesAt, toStoredLines } from '../commission-rules/choose-rule.ts';
import { findMaturity } from '../commission-rules/earners/affiliate-at-order.ts';
import { storeBudgets } from '../commission-rules/load.ts';
import { accrue } from '../commissions/accrue.ts';
import {
  type AttributedOrder,
  attributeOrder,
  findAlerts,
  findRejection,
  type UnattributedOrder,
} from '../conversions/recording/decide.ts';
import { type Lookup, lookUp, type ProgramSettings } from '../conversions/recording/look-up.ts';
import { lookUpRules } from '../conversions/recording/record.ts';
import { nextStep } from '../customers/buyer.ts';
import { leadCreated } from '../customers/events.ts';
import { insertLead } from '../customers/insert-lead.ts';
import { type Lead, readLeads } from '../customers/lead.ts';
import { type BindingChange, changeBindings, insertCustomer, storeKeys } from '../customers/store.ts';
import { createFraudEvents } from '../fraud/detect.ts';
import { type LockedLedger, openLedger, post } from '../ledger/post.ts';
import { type ReportedLead, toOrder } from './reported-lead.ts';

/** What became of a reported lead. */
export type LeadOutcome =
  | { kind: 'credited'; lead: Lead }
  | { kind: 'duplicate'; leadId: string }
  | UnattributedOrder
  | { kind: 'rejected'; reason: 'affiliate_not_found' | 'occurred_in_future' };

/** Records a lead of a program. */
export async function recordLead(opening: Tx, programId: string, reported: ReportedLead, actor: Actor): Promise<LeadOutcome> {
  const ledger = await openLedger(opening, programId);
  const tx = stopClock(opening);
  const leadId = await findLead(tx, programId, reported.externalId);
  if (leadId) return { kind: 'duplicate', leadId };
  const order = toOrder(reported);
  const found = withoutCouponLimits(await lookUp(tx, programId, [{ order }]));
  const reason = findRejection(order, found, tx.clock.now());
  if (reason) return { kind: 'rejected', reason: reason === 'affiliate_not_found' ? reason : 'occurred_in_future' };
  const report = { id: tx.ids.uuid(), customerId: tx.ids.uuid(), order, actor };
  const attempt = attributeOrder(report, found, tx.clock.now());
  if (attempt.kind === 'unattributed') return attempt;
  if (attempt.kind === 'rejected') throw new Error('A lead has no currency.');
  await write(tx, ledger, { attributed: { ...attempt, facts: toLeadFacts(attempt) }, found, reported });
  const [lead] = await readLeads(tx, programId, [attempt.id]);
  if (!lead) throw new Error('A lead that was just recorded is missing.');
  await recordEvent(tx, { programId, actor }, leadCreated.of({ objectId: lead.id, affiliateId: lead.affiliateId, data: lead }));
  return { kind: 'credited', lead };
}

async function findLead(tx: Tx, programId: string, externalId: string): Promise<string | null> {
  const leads = tx.db.selectFrom('leads').select('id').where('programId', '=', programId);
  const lead = await leads.where('externalId', '=', externalId).executeTakeFirst();
  return lead?.id ?? null;
}

/** A lead has no amount and no products that a coupon could require, and doesn't redeem it. */
function withoutCouponLimits(found: Lookup): Lookup {
  const unlimited = [...found.coupons].map(([key, coupon]): [string, CouponTerms] => [
    key,
    { ...coupon, minOrderCents: null, productIds: [], past: [] },
  ]);
  return { ...found, coupons: new Map(unlimited) };
}

/** The inputs of the calculation. A cap is a share of an order, so it doesn't limit a lead. */
function toLeadFacts({ facts }: AttributedOrder): AttributedOrder['facts'] {
  return { ...facts, event: 'lead', capPercent: null };
}

type Recording = { attributed: AttributedOrder; found: Lookup; reported: ReportedLead };

async function write(tx: Tx, ledger: LockedLedger, { attributed, found, reported }: Recording): Promise<void> {
  const { programId } = ledger;
  const { id, affiliate, actor } = attributed;
  const rules = await lookUpRules(tx, programId, [attributed]);
  const calculation = calculate(attributed.facts, rulesAt(rules.history, attributed.facts.at), rules.running);
  const alerts = findAlerts(attributed, found);
  const customerId = attributed.customerId ?? '';
  await insertCustomer(tx, programId, customerId);
  const decision = toDecision(attributed, calculation, alerts);
  await insertLead(tx, ledger, { ...attributed, customerId, decision, externalId: reported.externalId, name: reported.name ?? null });
  await bindCustomer(tx, programId, attributed, found.customers);
  const holds = await createFraudEvents(tx, programId, [{ affiliateId: affiliate.id, conversionId: null, leadId: id, alerts, actor }]);
  const earning = { ...toEarning(attributed, calculation, found.settings), holds: holds.get(id) ?? [] };
  const { earned, transfers, events } = await accrue(tx, ledger, [earning]);
  // Like a bonus, a lead counts on the day on which it was recorded.
  const day = localDate(tx.clock.now(), ledger.timezone);
  const additions = earned.map(({ affiliateId, amountCents }) => ({ affiliateId, day, commissionsCents: amountCents }));
  await addToTotals(tx, ledger, additions);
  await storeBudgets(tx, programId, rules.running);
  await recordEventsOf(tx, programId, events);
  await post(tx, ledger, transfers);
}

function toDecision({ attribution }: AttributedOrder, calculation: Calculation, alerts: object[]) {
  const { drafts, unpaid, capCents } = calculation;
  return { signals: attribution.signals, lines: toStoredLines(calculation.lines), drafts, unpaid, capCents, alerts, warnings: [] };
}

function toEarning({ id, affiliate, at, actor }: AttributedOrder, { drafts }: Calculation, settings: ProgramSettings) {
  const maturesAt = findMaturity({ affiliate, at }, settings);
  return { conversionId: null, orderId: null, leadId: id, drafts, maturesAt, flatRefunds: settings.flatRefunds, actor };
}

/** The first binding of a customer stays: a lead binds only a customer who is not bound. */
async function bindCustomer(tx: Tx, programId: string, attributed: AttributedOrder, known: Lookup['customers']): Promise<void> {
  const { id, buyer, affiliate, credit, at, actor } = attributed;
  const customerId = attributed.customerId ?? '';
  const unknown = buyer.customerKeys.filter((key) => !known.keys.has(key));
  await storeKeys(tx, programId, new Map(unknown.map((key) => [key, { customerId, firstOrderAt: null, orders: 0 }])));
  if (known.bindings.get(customerId)?.affiliateId) return;
  const binding = { source: 'lead', method: credit.method, boundAt: at, leadId: id } as const;
  const step = nextStep(known, customerId);
  const change: BindingChange = { customerId, step, affiliateId: affiliate.id, previousAffiliateId: null, ...binding, actor };
  await changeBindings(tx, programId, [change]);
}
