// What an event of a shop comes to, in our words. Readers of each shop turn payloads into acts (pure); one place
// performs them. An act says what is so in all (this order, so much given back by now), not what changed, so that
// deliveries that are late, repeated or out of order end in the same ledger.
import type { z } from 'zod';
import type { Delivery } from '../../connections/rails/rail.ts';
import type { ReportedOrder } from '../../earning/conversions/order.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Hints } from './read/hints.ts';

type OrderInput = z.input<typeof ReportedOrder>;

/** Which order is meant, by any of the names it has at the shop; the first one that is known counts. */
type Names = readonly string[];

export type Act =
  | {
      kind: 'order';
      report: OrderInput;
      hints: Hints;
      /** Further names of the order. */
      names: Names;
      /** Names under which hints may have been kept. */
      hintsUnder: Names;
      /** What the buyer paid in all, tax and shipping too: what refunds are shares of. Null: refunds speak of `amountCents`. */
      grossCents: number | null;
      /** The shop's ids of the items, in their order. */
      lineIds: readonly string[];
    }
  /** An order still to come is somebody's. */
  | { kind: 'hints'; name: string; hints: Hints }
  /** Another name of an order. */
  | { kind: 'names'; orderId: string; names: Names }
  /** So much of the gross was given back by now, of what `grossCents` was unless the order says otherwise. */
  | { kind: 'refunded_in_all'; of: Names; source: string; refundedCents: number; grossCents: number | null }
  /** One refund, of an amount of the gross; with the units of items where the shop names them. */
  | { kind: 'refund'; of: Names; refundId: string; amountCents: number | null; units: readonly Units[]; reason: string }
  /** One refund as our own API takes it, net. */
  | { kind: 'refund_as_reported'; of: Names; report: Record<string, unknown> }
  /** Whatever is left is given back. `isFinal` false: perhaps there never was an order. */
  | { kind: 'cancelled'; of: Names; refundId: string; reason: 'refund' | 'cancelled'; isFinal: boolean }
  /** The order comes to this amount now, net, before refunds. More than was reported changes nothing. */
  | { kind: 'lowered'; of: Names; source: string; amountCents: number }
  | { kind: 'dispute'; of: Names; disputeId: string; status: 'opened' | 'won' | 'lost'; amountCents: number | null };

export type Units = { lineId: string; quantity: number };

/** What became of reading an event. `subject` is what it depends on: it is tried again when something comes of that. */
export type Reading = { subject: string | null; acts: readonly Act[]; ignored?: string };

/** An event as it arrived, with its signature checked. */
export type Incoming = { externalId: string; topic: string; occurredAt: Date | null; payload: string };

export type ShopSettings = { config: Record<string, unknown>; secrets: Record<string, string>; isLive: boolean };

/** How a shop speaks. */
export type Reader = {
  /** Throws BadSignature for what isn't from the shop. */
  check(delivery: Delivery, settings: ShopSettings, clock: Clock): Incoming[];
  /** Pure. Throws Unreadable. */
  read(topic: string, payload: unknown, settings: Pick<ShopSettings, 'config' | 'isLive'>): Reading;
};

/** An event that can't be followed, with words for whoever looks after the shop. */
export class Unreadable extends Error {}
