// What happened to the commissions of one affiliate, and what happens next: earned, pending, on hold, ready, paid, or
// reversed. Pure.
import { sumForDisplay } from '../../../platform/lib/money.ts';
import type { TimelineStep } from './shape.ts';

/** A recorded commission of the order with its history. */
export type Recorded = {
  status: string;
  amountCents: number;
  reversedCents: number;
  paidCents: number;
  inTransitCents: number;
  maturesAt: Date;
  maturedAt: Date | null;
  holds: readonly { cause: string; reason: string | null; openedAt: Date }[];
  /** The latest payout that is sent, and the latest that arrived. */
  sentAt: Date | null;
  paidAt: Date | null;
};

type Reversal = { at: Date | null; reasons: readonly string[] };

/** The steps of the commissions of one affiliate, in the order in which they happen. */
export function buildTimeline(commissions: readonly Recorded[], occurredAt: Date, reversal: Reversal): TimelineStep[] {
  const sum = (pick: (one: Recorded) => number) => sumForDisplay(commissions.map(pick));
  const earned = sum(({ amountCents }) => amountCents);
  const reversed = sum(({ reversedCents }) => reversedCents);
  const net = earned - reversed;
  const isRejected = commissions.every(({ status }) => status === 'rejected');
  const steps = [toStep('earned', 'done', { startsAt: occurredAt, amountCents: earned })];
  if (net > 0) steps.push(...followMoney(commissions, occurredAt, net));
  if (reversed > 0) {
    const step = isRejected ? 'rejected' : 'reversed';
    steps.push(toStep(step, 'done', { startsAt: reversal.at, amountCents: reversed, reasons: reversal.reasons }));
  }
  return steps;
}

function followMoney(commissions: readonly Recorded[], occurredAt: Date, net: number): TimelineStep[] {
  const withStatus = (status: string) => commissions.filter((one) => one.status === status);
  const owed = (some: readonly Recorded[]) =>
    sumForDisplay(some.map((one) => one.amountCents - one.reversedCents - one.paidCents - one.inTransitCents));
  const sum = (pick: (one: Recorded) => number) => sumForDisplay(commissions.map(pick));
  const [pending, held] = [withStatus('pending'), withStatus('held')];
  const [inTransitCents, paidCents] = [sum((one) => one.inTransitCents), sum((one) => one.paidCents)];
  const maturesAt = latest(commissions.map((one) => one.maturesAt));
  const isWaiting = pending.length + held.length > 0;
  const steps = [toStep('pending', pending.length > 0 ? 'current' : 'done', { startsAt: occurredAt, endsAt: maturesAt, amountCents: net })];
  if (held.length > 0) steps.push(toHeldStep(held, owed(held)));
  const readyAt = latest(commissions.flatMap(({ maturedAt }) => maturedAt ?? [])) ?? maturesAt;
  const isReady = !isWaiting && paidCents < net;
  steps.push(
    toStep('ready', isWaiting ? 'upcoming' : isReady && inTransitCents === 0 ? 'current' : 'done', { startsAt: readyAt, amountCents: net }),
  );
  const sentAt = latest(commissions.flatMap((one) => one.sentAt ?? []));
  if (inTransitCents > 0) steps.push(toStep('in_transit', 'current', { startsAt: sentAt, amountCents: inTransitCents }));
  const paidAt = latest(commissions.flatMap((one) => one.paidAt ?? []));
  const isPaid = paidCents >= net;
  steps.push(toStep('paid', isPaid ? 'done' : 'upcoming', { startsAt: isPaid ? paidAt : null, amountCents: isPaid ? paidCents : net }));
  return steps;
}

function toHeldStep(held: readonly Recorded[], amountCents: number): TimelineStep {
  const holds = held.flatMap((one) => one.holds);
  const reasons = [...new Set(holds.map(({ cause, reason }) => (cause === 'fraud_event' ? (reason ?? cause) : cause)))];
  return toStep('held', 'current', { startsAt: earliest(holds.map(({ openedAt }) => openedAt)), amountCents, reasons });
}

type Given = { startsAt: Date | null; endsAt?: Date | null; amountCents: number; reasons?: readonly string[] };

function toStep(
  step: TimelineStep['step'],
  state: TimelineStep['state'],
  { startsAt, endsAt, amountCents, reasons = [] }: Given,
): TimelineStep {
  return {
    step,
    state,
    startsAt: startsAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
    amountCents,
    reasons: [...reasons],
  };
}

function latest(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((best, time) => (best && best >= time ? best : time), null);
}

function earliest(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((best, time) => (best && best <= time ? best : time), null);
}
