import type { HttpResponse } from '../../../platform/lib/http.ts';
import { codeOf, jsonOf, otherAmount, referenceOf, refused, unknown } from '../answers.ts';
import type { Answer, Destination, Payment } from '../rail.ts';

export const name = 'The external rail';

/** What an answer clearly says, or null. A refusal counts only where the body says it: a 404 can be a proxy's. */
export function answerOf(response: HttpResponse, payment: Payment): Answer | null {
  const isYes = response.status >= 200 && response.status < 300;
  const body = isYes || (response.status >= 400 && response.status < 500) ? jsonOf(response) : null;
  if (!body || (!isYes && body.status !== 'failed')) return null;
  const reference = referenceOf(body.reference, payment.destination);
  const cents = typeof body.amountCents === 'number' ? body.amountCents : null;
  const namesAmount = 'amountCents' in body || 'currency' in body;
  const other = namesAmount && body.status !== 'failed' ? otherAmount(payment, cents, body.currency) : null;
  return other ? unknown(other, reference ?? undefined) : statedAnswer(body, reference ?? payment.id, payment.destination);
}

/** A status of the protocol as an answer, or null. Events tell theirs in the same words. */
export function statedAnswer(body: Record<string, unknown>, reference: string, destination: Destination | null): Answer | null {
  switch (body.status) {
    case 'paid':
    case 'sent':
      return { outcome: body.status, reference };
    case 'failed':
      return refused(name, codeOf(body.code, destination, 'refused'), reference);
    case 'returned':
      return { outcome: 'returned', reference, reason: `The payment came back: ${codeOf(body.code, destination, 'returned')}.` };
    default:
      return null;
  }
}
