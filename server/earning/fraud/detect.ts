// Fraud detection on orders and leads, and storing what was found. An alert holds the commission or only flags it, as the
// program's settings say; it never rejects the order.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import type { NewEvent } from '../../messaging/events/define.ts';
import { recordEventsOf } from '../../messaging/events/record.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import type { Hold } from '../commissions/accrue.ts';
import { type Buyer, type Earner, matchBuyer } from '../customers/buyer.ts';
import { fraudFlagged } from './events.ts';
import { type DetectedFraud, type FraudKind, toFraudEvent } from './fraud-event.ts';
import { type ClickSource, findPaidSearch } from './paid-search.ts';
import type { SharedDevice } from './shared-device.ts';

export const FraudAction = z.enum(['hold', 'flag', 'off']).meta({ id: 'FraudAction' });

export const FraudSettings = z
  .object({
    selfReferral: FraudAction.default('hold').describe("The buyer's email address is the affiliate's or their upline's."),
    fastOrder: FraudAction.default('hold').describe('Ordered within `fastOrderSeconds` of the click.'),
    fastOrderSeconds: z.int().min(1).max(3600).default(3),
    couponWithoutClick: FraudAction.default('off').describe('A coupon was used without any click: the code may have leaked.'),
    checkoutHijack: FraudAction.default('flag').describe('A click shortly before the order lost to an earlier signal.'),
    disposableMailbox: FraudAction.default('off').describe("The buyer's email address is of a provider whose addresses expire."),
    paidSearch: FraudAction.default('off').describe(
      'The credited click came from a search ad, by how the ad marked the link or the page (`adParameter`, such as `gclid` or ' +
        '`msclkid`) or the host of the referrer.',
    ),
    sharedDevice: FraudAction.default('off').describe(
      'The affiliate was signed in with the browser that the credited click came from, or with the same browser as another affiliate.',
    ),
  })
  .meta({
    id: 'FraudSettings',
    example: {
      selfReferral: 'hold',
      fastOrder: 'hold',
      fastOrderSeconds: 3,
      couponWithoutClick: 'off',
      checkoutHijack: 'flag',
      disposableMailbox: 'flag',
      paidSearch: 'off',
      sharedDevice: 'off',
    },
  });
export type FraudSettings = z.infer<typeof FraudSettings>;

export type OrderToCheck = {
  orderedAt: Date;
  method: string;
  visit: ({ id: string; at: Date; action: 'record_flagged' | 'hold' | null } & ClickSource) | null;
  hasClickSignal: boolean;
  /** The affiliate whose late click lost. */
  hijackedBy: string | null;
  /** What is known about the browsers of the affiliate. */
  sharedDevice: SharedDevice | null;
};

/** Every alert about how the order came about, in a fixed order. Pure. */
function detectFraud(order: OrderToCheck, settings: FraudSettings): DetectedFraud[] {
  const found: DetectedFraud[] = [];
  const add = (kind: FraudKind, action: z.infer<typeof FraudAction>, evidence: DetectedFraud['evidence']) => {
    if (action !== 'off') found.push({ kind, action, evidence });
  };
  if (order.visit) {
    const seconds = Math.max(0, order.orderedAt.getTime() - order.visit.at.getTime()) / 1000;
    if (seconds < settings.fastOrderSeconds) add('fast_order', settings.fastOrder, { secondsAfterClick: seconds, clickId: order.visit.id });
    if (order.visit.action === 'hold') add('held_click', 'hold', { clickId: order.visit.id });
    const paidSearch = findPaidSearch(order.visit);
    if (paidSearch) add('paid_search', settings.paidSearch, { ...paidSearch, clickId: order.visit.id });
  }
  if (order.method === 'coupon' && !order.hasClickSignal) add('coupon_without_click', settings.couponWithoutClick, {});
  if (order.sharedDevice) add('shared_device', settings.sharedDevice, { ...order.sharedDevice, clickId: order.visit?.id ?? null });
  if (order.hijackedBy !== null) add('checkout_hijack', settings.checkoutHijack, { affiliateId: order.hijackedBy });
  return found;
}

export type SelfReferralSettings = { hashKey: Uint8Array; fraud: FraudSettings };

/**
 * The alert about an order or lead whose buyer is the affiliate or their upline; none if neither is, or if the check is off.
 * Checked wherever one gets an affiliate: reports, batches, stores, claims, moves, leads.
 */
export function findSelfReferral(buyer: Buyer, earner: Earner, { hashKey, fraud }: SelfReferralSettings): DetectedFraud[] {
  const buyerIs = matchBuyer(buyer, earner, hashKey);
  if (buyerIs === null || fraud.selfReferral === 'off') return [];
  return [{ kind: 'self_referral', action: fraud.selfReferral, evidence: { buyerIs } }];
}

/** The alert about a buyer whose mailbox expires. Its evidence is the provider, never the address. */
function findDisposableMailbox({ disposableDomain }: Buyer, { disposableMailbox }: FraudSettings): DetectedFraud[] {
  if (!disposableDomain || disposableMailbox === 'off') return [];
  return [{ kind: 'disposable_mailbox', action: disposableMailbox, evidence: { mailboxProvider: disposableDomain } }];
}

/** The inputs of the fraud checks: the buyer, who earns, and how the order was attributed. */
export type FraudSubject = { buyer: Buyer; earner: Earner; order: OrderToCheck };

/** Every alert about an order: for one that is reported, and for past orders when settings are tried. Pure. */
export function findOrderFraud({ buyer, earner, order }: FraudSubject, settings: SelfReferralSettings): DetectedFraud[] {
  return [
    ...findSelfReferral(buyer, earner, settings),
    ...findDisposableMailbox(buyer, settings.fraud),
    ...detectFraud(order, settings.fraud),
  ];
}

type Subject = { affiliateId: string; conversionId: string | null; leadId?: string; alerts: readonly DetectedFraud[]; actor: Actor };

/** Alerts to store. `holds`: those that hold a commission, by conversion or lead. */
type PlannedAlerts = {
  rows: ReturnType<typeof toRow>[];
  events: { event: NewEvent; actor: Actor }[];
  holds: ReadonlyMap<string | null, Hold[]>;
};

/** Stores each alert for a decision. Returns the holds of those that hold a commission, by conversion or lead. */
export async function createFraudEvents(tx: Tx, programId: string, subjects: readonly Subject[]): Promise<PlannedAlerts['holds']> {
  const planned = planFraudEvents(tx, programId, subjects);
  await storeFraudEvents(tx, programId, planned);
  return planned.holds;
}

/** The alerts of these subjects, before they are written. */
export function planFraudEvents(tx: Pick<Tx, 'ids' | 'clock'>, programId: string, subjects: readonly Subject[]): PlannedAlerts {
  const alerts = subjects.flatMap((subject) =>
    subject.alerts.map((alert) => ({ row: toRow(tx, programId, subject, alert), actor: subject.actor })),
  );
  const rows = alerts.map(({ row }) => row);
  const events = alerts.map(({ row, actor }) => {
    const data = toFraudEvent({ ...row, resolutionNote: null, resolvedAt: null });
    return { event: fraudFlagged.of({ objectId: row.id, affiliateId: row.affiliateId, data }), actor };
  });
  const holding = rows.filter(({ evidence }) => evidence.action === 'hold');
  const bySubject = Map.groupBy(holding, ({ conversionId, leadId }) => conversionId ?? leadId);
  const toHold = ({ id, kind }: (typeof rows)[number]): Hold => ({ cause: 'fraud_event', causeId: id, reason: kind });
  return { rows, events, holds: new Map([...bySubject].map(([subjectId, held]) => [subjectId, held.map(toHold)])) };
}

/** Writes planned alerts with their events. Their order or lead must be written before. */
export async function storeFraudEvents(tx: Tx, programId: string, { rows, events }: PlannedAlerts): Promise<void> {
  await Promise.all([insertRows(tx, 'fraudEvents', rows), recordEventsOf(tx, programId, events)]);
}

function toRow(
  tx: Pick<Tx, 'ids' | 'clock'>,
  programId: string,
  { affiliateId, conversionId, leadId }: Subject,
  { kind, action, evidence }: DetectedFraud,
) {
  return {
    programId,
    id: tx.ids.uuid(),
    kind,
    status: 'open',
    affiliateId,
    conversionId,
    leadId: leadId ?? null,
    evidence: { ...evidence, action },
    createdAt: tx.clock.now(),
  };
}
