import type { HttpResponse } from '../../../platform/lib/http.ts';
import { failedOutcome, findAmountMismatch, parseJsonObject, toCode, toReference, unknownOutcome } from '../outcomes.ts';
import type { Destination, Outcome, Payment } from '../rail.ts';

export const name = 'The external provider';

/** The clear outcome of a response, or null. A rejection counts only if the body contains it: a 404 can come from a proxy. */
export function parseOutcome(response: HttpResponse, payment: Payment): Outcome | null {
  const isSuccess = response.status >= 200 && response.status < 300;
  const body = isSuccess || (response.status >= 400 && response.status < 500) ? parseJsonObject(response) : null;
  if (!body || (!isSuccess && body.status !== 'failed')) return null;
  const reference = toReference(body.reference, payment.destination);
  const cents = typeof body.amountCents === 'number' ? body.amountCents : null;
  const namesAmount = 'amountCents' in body || 'currency' in body;
  const mismatch = namesAmount && body.status !== 'failed' ? findAmountMismatch(payment, cents, body.currency) : null;
  return mismatch ? unknownOutcome(mismatch, reference ?? undefined) : toStatedOutcome(body, reference ?? payment.id, payment.destination);
}

/** A status of the protocol as an outcome, or null. Responses and events use the same statuses. */
export function toStatedOutcome(body: Record<string, unknown>, reference: string, destination: Destination | null): Outcome | null {
  switch (body.status) {
    case 'paid':
    case 'sent':
      return { outcome: body.status, reference };
    case 'failed':
      return failedOutcome(name, toCode(body.code, destination, 'rejected'), reference);
    case 'returned':
      return { outcome: 'returned', reference, reason: `The payment was returned: ${toCode(body.code, destination, 'returned')}.` };
    default:
      return null;
  }
}
