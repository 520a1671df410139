// What every rail makes of an answer that is no clear yes and no clear no. Texts from outside reach nobody: they
// may hold an account or a key, so only words of a known form are kept, as codes.
import type { Clock } from '../../platform/lib/clock.ts';
import { HttpFailure, type HttpResponse } from '../../platform/lib/http.ts';
import { parseExternalJson } from '../../platform/lib/json.ts';
import type { Answer, Destination, Found, Payment } from './rail.ts';

/** Nobody could be reached: 30 s. Credentials need a person: five minutes. */
const [unreachableSeconds, refusedSeconds, defaultRetrySeconds, maxRetrySeconds] = [30, 300, 30, 3600];

export function unknown(reason: string, reference?: string): Answer {
  return { outcome: 'unknown', reason, ...(reference !== undefined && { reference }) };
}

/** A call that got no answer. Whatever isn't HttpFailure is a fault of ours and is thrown on. */
export function unanswered(error: unknown, rail: string): Answer {
  if (!(error instanceof HttpFailure)) throw error;
  if (error.mayHaveArrived) return unknown(`${rail} did not answer in time; it may have taken the payment.`);
  return { outcome: 'later', retryAfterSeconds: unreachableSeconds, reason: `${rail} could not be reached.` };
}

/** An answer that says neither yes nor no. */
export function unclear(response: HttpResponse, rail: string, clock: Clock): Answer {
  const { status } = response;
  if (status === 401 || status === 403) return credentialsRefused(rail);
  if (status === 429) {
    return { outcome: 'later', retryAfterSeconds: retryAfterSeconds(response, clock), reason: `Rate limited by ${rail}.` };
  }
  if (status >= 200 && status < 300) return unknown(`Unreadable response from ${rail} (${status}).`);
  return unknown(`${rail} answered ${status}.`);
}

export function credentialsRefused(rail: string): Answer {
  return { outcome: 'later', retryAfterSeconds: refusedSeconds, reason: `${rail} refused the credentials; nothing was paid.` };
}

/**
 * The same in a look-up. Only a payment that is sent may be put off: a look-up that failed says nothing about
 * the payment, not even that nothing was done.
 */
export function notLookedUp(answer: Answer): Found {
  return answer.outcome === 'later' ? unknown(`It could not be looked up: ${answer.reason}`) : answer;
}

export function retryAfterSeconds({ headers }: { headers: Record<string, string> }, clock: Clock): number {
  const text = headers['retry-after'] ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - clock.now().getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), maxRetrySeconds) : defaultRetrySeconds;
}

/** The JSON object of an answer, or null. */
export function jsonOf({ body }: { body: string }): Record<string, unknown> | null {
  try {
    const value = parseExternalJson(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A clear no, told by a code: the rail's own text is not shown. */
export function refused(rail: string, code: string, reference?: string): Answer {
  return { outcome: 'failed', code, reason: `${rail} refused the payment: ${code}.`, ...(reference !== undefined && { reference }) };
}

/** A code of theirs as one of ours; `otherwise` where it has another form or holds something of the destination. */
export function codeOf(text: unknown, destination: Destination | null, otherwise: string): string {
  if (typeof text !== 'string' || !/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(text)) return otherwise;
  return destination && tells(text, destination) ? otherwise : text.toLowerCase();
}

/** A name that the rail gave a payment, or null where it can't be kept. */
export function referenceOf(text: unknown, destination: Destination | null): string | null {
  const reference = typeof text === 'number' ? String(text) : text;
  if (typeof reference !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(reference)) return null;
  return destination && tells(reference, destination) ? null : reference;
}

/** Whether a text holds something of a destination. */
function tells(text: string, destination: Destination): boolean {
  const { method: _, ...parts } = destination;
  const folded = text.toLowerCase();
  const known = Object.values(parts).flatMap((part) => (typeof part === 'string' ? [part] : Object.values(part ?? {})));
  return known.some((part) => part.length > 3 && folded.includes(part.toLowerCase()));
}

/** What is wrong with an amount that the rail names, or null. */
export function otherAmount(payment: Payment, amountCents: number | null, currency: unknown): string | null {
  if (typeof currency !== 'string' || currency.toUpperCase() !== payment.currency) return 'The rail names another currency than ours.';
  return amountCents === payment.amountCents ? null : 'The rail names another amount than ours.';
}
