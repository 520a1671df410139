// What every way to pay has to offer, and what it may answer. A rail knows no tables and decides nothing: it
// says what the outside system said. Whatever is not a clear yes or a clear no is `unknown`.
import { z } from 'zod';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Http } from '../../platform/lib/http.ts';

/** Where an affiliate is paid. Encrypted at rest; decrypted only to pay. */
export const Destination = z.discriminatedUnion('method', [
  z.object({ method: z.literal('paypal'), email: z.string() }),
  z.object({
    method: z.literal('bank'),
    holder: z.string(),
    country: z.string(),
    currency: z.string(),
    iban: z.string().exactOptional(),
    bic: z.string().exactOptional(),
    fields: z.record(z.string(), z.string()).exactOptional(),
  }),
  z.object({ method: z.literal('stripe'), accountId: z.string() }),
  z.object({ method: z.literal('wise'), recipientId: z.string() }),
  z.object({ method: z.literal('external'), account: z.string() }),
]);
export type Destination = z.output<typeof Destination>;

export type Method = Destination['method'];

/** One payment, frozen. `id` is the rail's idempotency key for ever. */
export type Payment = {
  id: string;
  programId: string;
  affiliateId: string;
  amountCents: number;
  currency: string;
  destination: Destination;
  /** What the receiver reads, without anything secret; at most 100 characters. */
  memo: string;
};

export type Answer =
  /** The money has arrived: nothing takes it back but a return. */
  | { outcome: 'paid'; reference: string }
  /** The rail has taken it and will say more, by an event or when asked. */
  | { outcome: 'sent'; reference: string }
  /** A clear no: nothing was paid under this id, and nothing will be. */
  | { outcome: 'failed'; code: string; reason: string; reference?: string }
  /** It came back after it had arrived. */
  | { outcome: 'returned'; reference: string; reason: string }
  /** No clear answer: it may have been paid. */
  | { outcome: 'unknown'; reason: string; reference?: string }
  /** Not now: this call did nothing. An earlier one under the same id may have. */
  | { outcome: 'later'; retryAfterSeconds: number; reason: string };

/**
 * What a look-up may say besides. `not_found`: the rail has no payment under this id, as far as it can tell.
 * A look-up is never `later`: when it can't be made, nothing is known, not even that nothing was done.
 */
export type Found = Answer | { outcome: 'not_found' };

/** A payment as the rail's own book has it. */
export type RailPayment = {
  reference: string;
  /** Our id, where the rail kept it. */
  paymentId: string | null;
  /** Who it was for, where the rail kept it. */
  affiliateId: string | null;
  amountCents: number;
  currency: string;
  state: 'sent' | 'paid' | 'failed' | 'returned';
  at: Date;
};

/** An event that the rail sent by itself, with its signature checked. */
export type RailEvent = {
  /** The rail's id of the event, by which repeats are known. */
  id: string;
  topic: string;
  /** Null for what says nothing about a payment. The amount is there where the event names it: another than ours is no clear answer. */
  about: { paymentId: string | null; reference: string | null; answer: Answer; amountCents?: number; currency?: string } | null;
  at: Date | null;
};

export type Delivery = { headers: Record<string, string>; body: Buffer };

export type Rail = {
  send(payment: Payment): Promise<Answer>;
  /** Asks for the payment with this id; `reference` is what the rail called it, when it said so. */
  lookUp(payment: Payment, reference: string | null): Promise<Found>;
  /** Every payment of a span of time in the rail's own book; null where it can't be asked. */
  list: ((span: { from: Date; to: Date }) => AsyncIterable<RailPayment>) | null;
  /** Reads an event after checking its signature; null where the rail sends none. Throws BadSignature. */
  readEvent: ((delivery: Delivery) => Promise<RailEvent[]>) | null;
  /** Whether the settings work, without paying anybody. */
  test(): Promise<{ works: boolean; message: string }>;
};

export type RailParts = {
  config: Record<string, unknown>;
  secrets: Record<string, string>;
  http: Http;
  clock: Clock;
  /** Where this provider's events arrive. */
  eventsUrl: string;
};

type Shape = { shape: Readonly<Record<string, unknown>> };
export type ConfigSchema = z.ZodType<Record<string, unknown>> & Shape;
export type SecretsSchema = z.ZodType<Record<string, string>> & Shape;

/** What is known of a kind of rail without connecting to one. */
export type RailType = {
  type: string;
  /** Settings that the API returns: base URLs, account ids. */
  config: ConfigSchema;
  /** Write-only settings. */
  secrets: SecretsSchema;
  /** The secret that Tributary generates when none is sent. */
  generatedSecret?: string;
  methods: readonly Method[];
  /** False where a person pays, and says so with mark-paid. */
  isAutomatic: boolean;
  /** For how long the rail remembers an idempotency key; null is for ever. After that it is only asked. */
  keyWindowHours: number | null;
  /**
   * Whether a refusal of a repeated send() says that the first one paid nothing either. False where the rail checks
   * a request before it looks for the key: there a `failed` from a repeat is `unknown`.
   */
  believesRefusalOfRepeat: boolean;
  /** How late the rail's book may show a payment. What is younger and missing there proves nothing. */
  bookLagHours: number;
  /** Whether list() names a payment by the reference that send() gave. Where it does not, only our ids compare. */
  listsByReference: boolean;
  /** Calls at once. */
  concurrency: number;
  capabilities: readonly string[];
  open(parts: RailParts): Rail;
};

/** A delivery that isn't from whom it says it is. `reason` is one word for the count of refusals. */
export class BadSignature extends Error {
  readonly reason: 'missing_signature' | 'wrong_signature' | 'old_timestamp' | 'malformed';
  constructor(reason: BadSignature['reason']) {
    super(`The delivery was refused: ${reason}.`);
    this.reason = reason;
  }
}
