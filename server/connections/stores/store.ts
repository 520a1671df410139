// What each kind of store defines: its settings, how its deliveries are verified, what its events mean, and how its
// products and coupons are synchronized. A store reads no tables and makes no decisions.
import type { Clock } from '../../platform/lib/clock.ts';
import type { Http, HttpRequest, HttpResponse } from '../../platform/lib/http.ts';
import type { ConfigSchema, Delivery, SecretsSchema } from '../rails/rail.ts';
import type { Signals } from './signals.ts';

export type StoreItem = {
  externalProductId: string | null;
  sku: string | null;
  name: string | null;
  quantity: number;
  amountCents: number;
  discountCents: number;
};

/** An order in the form of `POST /v1/conversions`; it is validated when it is recorded. */
export type StoreOrder = {
  orderId: string;
  amountCents: number;
  currency?: string;
  items?: StoreItem[];
  customer?: { externalId: string | null; email: string | null; country?: string | undefined };
  taxCents?: number;
  shippingCents?: number;
  discountCents?: number;
  subscription?: { externalId: string } | undefined;
  occurredAt?: string | undefined;
};

/** The ids by which a store refers to an order: its own, and those of its payment, charge or checkout. */
export type References = readonly string[];

/**
 * What an event means for an order. An action states a total (this order, this much refunded so far) instead of a
 * difference, so that deliveries that are late, repeated or out of order lead to the same result.
 */
export type StoreAction =
  | {
      kind: 'order';
      order: StoreOrder;
      signals: Signals;
      /** Further references of the order. */
      references: References;
      /** References under which attribution signals may have been stored. */
      signalReferences: References;
      /** The total that the buyer paid, with tax and shipping, of which refunds are a share. Null: refunds refer to `amountCents`. */
      grossCents: number | null;
      /** The store's ids of the items, in their order. */
      lineIds: readonly string[];
    }
  /** Attribution signals of an order that has not arrived yet. */
  | { kind: 'signals'; reference: string; signals: Signals }
  /** Further references of an order. */
  | { kind: 'references'; orderId: string; references: References }
  /** The gross amount refunded so far, of `grossCents` unless the order has its own. */
  | { kind: 'refund_total'; references: References; source: string; refundedCents: number; grossCents: number | null }
  /** One refund of a gross amount, with the units or the net amount of each item where the store lists them. */
  | { kind: 'refund'; references: References; refundId: string; amountCents: number | null; units: readonly Units[]; reason: string }
  /** One refund in the form of `POST /v1/refunds`, net; it is validated when it is recorded. */
  | { kind: 'reported_refund'; references: References; report: Record<string, unknown> }
  /** All that is left of the order is refunded. `isFinal` false: the order may never have been paid. */
  | { kind: 'cancellation'; references: References; refundId: string; reason: 'refund' | 'cancelled'; isFinal: boolean }
  /** The order was edited to this net amount, before refunds. A higher amount changes nothing. */
  | { kind: 'edit'; references: References; source: string; amountCents: number }
  | { kind: 'dispute'; references: References; disputeId: string; status: 'opened' | 'won' | 'lost'; amountCents: number | null };

export type OrderAction = Extract<StoreAction, { kind: 'order' }>;
/** What was refunded of an item: units, or a net amount. */
export type Units = { lineId: string; quantity: number } | { lineId: string; amountCents: number };

/** Why an event has no effect. */
export type IgnoredReason =
  | 'unsupported_topic'
  | 'superseded_topic'
  | 'test_event'
  | 'not_paid'
  | 'nothing_charged'
  | 'nothing_refunded'
  | 'no_payment'
  | 'order_not_found';

/** `subject`: the reference that the event depends on; it is processed again when that becomes known. */
export type ParsedEvent =
  | { subject: string | null; actions: readonly StoreAction[]; ignored?: never }
  | { subject: null; actions: readonly []; ignored: IgnoredReason };

export function ignore(ignored: IgnoredReason): ParsedEvent {
  return { subject: null, actions: [], ignored };
}

/** An event from a delivery whose signature was verified. */
export type StoreEvent = { externalId: string; topic: string; occurredAt: Date | null; payload: string };

export type StoreSettings = { config: Record<string, unknown>; secrets: Record<string, string> };
export type EventSettings = { config: Record<string, unknown>; isLive: boolean };

/** The settings of a store, and of the program where products and coupons need them. */
export type StoreConnection = StoreSettings & { currency: string; websiteUrl: string | null };

/** A product of a store; absent texts are empty. */
export type StoreProduct = {
  externalId: string;
  name: string;
  priceCents: number | null;
  checkoutUrl: string;
  sku: string;
  description: string;
  category: string;
  brand: string;
  imageUrl: string;
};

export type ProductPage = { products: StoreProduct[]; nextUrl: string | null };
export type ProductList = { firstUrl: string; headers: Record<string, string>; parsePage(response: HttpResponse): ProductPage };

/** A coupon that a store can apply to all of its products. */
export type StoreCoupon = {
  id: string;
  code: string;
  discount: { percent: number } | { cents: number };
  minOrderCents: number | null;
  endsAt: Date | null;
  maxRedemptions: number | null;
};

export type StoreType = {
  type: string;
  config: ConfigSchema;
  secrets: SecretsSchema;
  /** The secret that Tributary generates when none is sent. */
  generatedSecret?: string;
  capabilities: readonly string[];
  /** A read request that needs every permission that the keys should have; null without keys. */
  buildTestRequest(settings: StoreSettings): HttpRequest | null;
  /** The events of a delivery. Throws BadSignature for a delivery that is not from the store. */
  verifyDelivery(delivery: Delivery, settings: Pick<StoreSettings, 'secrets'>, clock: Clock): StoreEvent[];
  /** Pure. Throws UnreadableEvent. */
  parseEvent(topic: string, payload: unknown, settings: EventSettings): ParsedEvent;
  /** Null without a product API. Throws StoreRejection without keys. */
  listProducts: ((connection: StoreConnection) => ProductList) | null;
  /** Creates a coupon code unless it exists, and returns its id. Null without a coupon API. Throws StoreRejection and HttpFailure. */
  createCoupon: ((coupon: StoreCoupon, connection: StoreConnection, http: Http) => Promise<string>) | null;
};

/** An event that can never be processed. The message is shown to the owner of the store. */
export class UnreadableEvent extends Error {}

/** The store rejected a request, or can't be called with these settings. The message is shown to its owner. */
export class StoreRejection extends Error {}
