// How every rail handles responses that are neither a success nor a rejection. Texts of providers may contain an account
// or a key, so only codes of a known format are stored.
import type { Clock } from '../../platform/lib/clock.ts';
import { HttpFailure, type HttpResponse } from '../../platform/lib/http.ts';
import { parseExternalJson } from '../../platform/lib/json.ts';
import type { Destination, LookUpOutcome, Outcome, Payment } from './rail.ts';

/** Unreachable: 30 s. Rejected credentials need a person: five minutes. */
const [unreachableSeconds, rejectedSeconds, defaultRetrySeconds, maxRetrySeconds] = [30, 300, 30, 3600];

export function unknownOutcome(reason: string, reference?: string): Outcome {
  return reference === undefined ? { outcome: 'unknown', reason } : { outcome: 'unknown', reason, reference };
}

/** The outcome of a call without a response. Errors other than HttpFailure are bugs and are rethrown. */
export function toConnectionOutcome(error: unknown, rail: string): Outcome {
  if (!(error instanceof HttpFailure)) throw error;
  if (error.mayHaveArrived) return unknownOutcome(`No response from ${rail} in time; the payment may have been accepted.`);
  return { outcome: 'retry_later', retryAfterSeconds: unreachableSeconds, reason: `${rail} could not be reached.` };
}

/** The outcome of a response that is neither a success nor a rejection. */
export function toUnclearOutcome(response: HttpResponse, rail: string, clock: Clock): Outcome {
  const { status } = response;
  if (status === 401 || status === 403) return credentialsRejected(rail);
  if (status === 429) {
    return { outcome: 'retry_later', retryAfterSeconds: retryAfterSeconds(response, clock), reason: `Rate limited by ${rail}.` };
  }
  if (status >= 200 && status < 300) return unknownOutcome(`Unreadable response from ${rail} (${status}).`);
  return unknownOutcome(`Unexpected response from ${rail} (${status}).`);
}

export function credentialsRejected(rail: string): Outcome {
  return { outcome: 'retry_later', retryAfterSeconds: rejectedSeconds, reason: `${rail} rejected the credentials; nothing was paid.` };
}

/**
 * The outcome of a look-up. Only sending can be postponed: a failed look-up reveals nothing about the payment, not even
 * that nothing was done.
 */
export function toLookUpOutcome(outcome: Outcome): LookUpOutcome {
  return outcome.outcome === 'retry_later' ? unknownOutcome(`The payment could not be looked up: ${outcome.reason}`) : outcome;
}

export function retryAfterSeconds({ headers }: { headers: Record<string, string> }, clock: Clock): number {
  const text = headers['retry-after'] ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - clock.now().getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), maxRetrySeconds) : defaultRetrySeconds;
}

/** The JSON object in a body, or null. */
export function parseJsonObject({ body }: { body: string }): Record<string, unknown> | null {
  try {
    const value = parseExternalJson(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A rejection with a code. The provider's own text is not shown. */
export function failedOutcome(rail: string, code: string, reference?: string): Outcome {
  const reason = `${rail} rejected the payment: ${code}.`;
  return reference === undefined ? { outcome: 'failed', code, reason } : { outcome: 'failed', code, reason, reference };
}

/** A provider's code in our format; `otherwise` if it has another format or contains part of the destination. */
export function toCode(text: unknown, destination: Destination | null, otherwise: string): string {
  if (typeof text !== 'string' || !/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(text)) return otherwise;
  return destination && containsDestination(text, destination) ? otherwise : text.toLowerCase();
}

/** A provider's reference of a payment, or null if it can't be stored. */
export function toReference(text: unknown, destination: Destination | null): string | null {
  const reference = typeof text === 'number' ? String(text) : text;
  if (typeof reference !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(reference)) return null;
  return destination && containsDestination(reference, destination) ? null : reference;
}

/** Whether a text contains part of a destination. */
function containsDestination(text: string, destination: Destination): boolean {
  const { method: _, ...parts } = destination;
  const folded = text.toLowerCase();
  const known = Object.values(parts).flatMap((part) => (typeof part === 'string' ? [part] : Object.values(part ?? {})));
  return known.some((part) => part.length > 3 && folded.includes(part.toLowerCase()));
}

/** How the reported amount differs from ours, or null. */
export function findAmountMismatch(payment: Payment, amountCents: number | null, currency: unknown): string | null {
  if (typeof currency !== 'string' || currency.toUpperCase() !== payment.currency) return 'The provider reported a different currency.';
  return amountCents === payment.amountCents ? null : 'The provider reported a different amount.';
}
