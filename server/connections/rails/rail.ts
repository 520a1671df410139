// What every payout provider implements, and the outcomes that it can report. A rail reads no tables and makes no
// decisions: it translates the provider's responses. Whatever is neither a success nor a rejection is `unknown`.
import { z } from 'zod';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Detail } from '../../platform/lib/errors.ts';
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

/** One payment; it never changes. `id` is permanently the provider's idempotency key. */
export type Payment = {
  id: string;
  programId: string;
  affiliateId: string;
  amountCents: number;
  currency: string;
  destination: Destination;
  /** The text that the payee sees, at most 100 characters. */
  memo: string;
};

export type Outcome =
  /** The money has arrived. Only a return can reverse this. */
  | { outcome: 'paid'; reference: string }
  /** Accepted. The final outcome follows in an event or a look-up. */
  | { outcome: 'sent'; reference: string }
  /** Rejected: nothing was paid under this id, and nothing will be. */
  | { outcome: 'failed'; code: string; reason: string; reference?: string }
  /** Returned after it had arrived. */
  | { outcome: 'returned'; reference: string; reason: string }
  /** Unclear: it may have been paid. */
  | { outcome: 'unknown'; reason: string; reference?: string }
  /** This call had no effect. An earlier call with the same id may have had one. */
  | { outcome: 'retry_later'; retryAfterSeconds: number; reason: string };

/**
 * The outcome of a look-up. `not_found`: the provider has no payment with this id. A look-up is never `retry_later`: if it
 * fails, nothing is known.
 */
export type LookUpOutcome = Outcome | { outcome: 'not_found' };

/** A payment in the provider's own list. */
export type RailPayment = {
  reference: string;
  /** Our id, if the provider stores it. */
  paymentId: string | null;
  /** The affiliate, if the provider stores it. */
  affiliateId: string | null;
  amountCents: number;
  currency: string;
  state: 'sent' | 'paid' | 'failed' | 'returned';
  at: Date;
};

/** An event from the provider, with a verified signature. */
export type RailEvent = {
  /** The provider's id of the event, which identifies repeats. */
  id: string;
  topic: string;
  /** Null if the event is not about a payment. Includes the amount if the event does; a different amount makes the outcome unclear. */
  about: { paymentId: string | null; reference: string | null; outcome: Outcome; amountCents?: number; currency?: string } | null;
  at: Date | null;
};

export type Delivery = { headers: Record<string, string>; body: Buffer };

export type Rail = {
  send(payment: Payment): Promise<Outcome>;
  /** Looks up the payment with this id; `reference` is the provider's reference, if known. */
  lookUp(payment: Payment, reference: string | null): Promise<LookUpOutcome>;
  /** Every payment in a time span from the provider's own list; null if the provider has none. */
  list: ((span: { from: Date; to: Date }) => AsyncIterable<RailPayment>) | null;
  /** Parses an event after verifying its signature; null if the provider sends none. Throws BadSignature. */
  readEvent: ((delivery: Delivery) => Promise<RailEvent[]>) | null;
  /** Tests the settings without sending a payment. */
  test(): Promise<{ works: boolean; message: string }>;
};

export type RailParts = {
  config: Record<string, unknown>;
  secrets: Record<string, string>;
  http: Http;
  clock: Clock;
  /** The URL that receives this provider's events. */
  eventsUrl: string;
};

type Shape = { shape: Readonly<Record<string, z.ZodType>> };
export type ConfigSchema = z.ZodType<Record<string, unknown>> & Shape;
export type SecretsSchema = z.ZodType<Record<string, string>> & Shape;

/** A type of payout provider, independent of a connection. */
export type RailType = {
  type: string;
  /** Settings that the API returns: base URLs, account ids. */
  config: ConfigSchema;
  /** Write-only settings. */
  secrets: SecretsSchema;
  /** The secret that Tributary generates when none is sent. */
  generatedSecret?: string;
  methods: readonly Method[];
  /** Other currencies than the program's that it can pay every converted amount in; null: all. */
  convertedCurrencies: readonly string[] | null;
  /** False if payouts are made manually and confirmed with mark-paid. */
  isAutomatic: boolean;
  /** How long the provider remembers an idempotency key; null is permanently. After that, payments are only looked up. */
  keyWindowHours: number | null;
  /**
   * Whether the rejection of a repeated send() proves that the first one paid nothing either. False if the provider
   * validates a request before it checks the key: then a `failed` repeat is `unknown`.
   */
  isRepeatedRejectionFinal: boolean;
  /** How late a payment may appear in the provider's list. The absence of a more recent one proves nothing. */
  listDelayHours: number;
  /** Whether list() uses the reference that send() returned. If not, only our ids are compared. */
  listsByReference: boolean;
  /** Simultaneous calls. */
  concurrency: number;
  capabilities: readonly string[];
  /** Whether its times are those of the program's clock. False for external systems, which know no time but their own. */
  followsProgramClock?: boolean;
  open(parts: RailParts): Rail;
};

/** A delivery whose signature is missing, wrong or too old. */
export class BadSignature extends Error {
  readonly reason: 'missing_signature' | 'wrong_signature' | 'old_timestamp' | 'malformed';
  constructor(reason: BadSignature['reason']) {
    super(`The delivery was rejected: ${reason}.`);
    this.reason = reason;
  }
}

/** A delivery whose signature is valid, but whose body is not an event: its sender can correct it. */
export class MalformedEvent extends BadSignature {
  readonly details: Detail[];
  constructor(details: Detail[] = [{ path: [], message: 'must be an event of this provider' }]) {
    super('malformed');
    this.details = details;
  }
}
