import { z } from 'zod';
import { jsonOf } from '../answers.ts';
import type { RailPayment } from '../rail.ts';
import type { Ask } from './ask.ts';

const Page = z.object({
  payouts: z.array(
    z.object({
      reference: z.string().min(1).max(200),
      payoutId: z.string().nullish(),
      affiliateId: z.string().nullish(),
      amountCents: z.int(),
      currency: z.string(),
      status: z.enum(['sent', 'paid', 'failed', 'returned']),
      at: z.iso.datetime({ offset: true }),
    }),
  ),
  nextCursor: z.string().nullish(),
});

/** Every payment of a span, page by page. Throws where a page can't be had: half a book proves nothing. */
export async function* listExternal({ from, to }: { from: Date; to: Date }, ask: Ask, at: Date): AsyncIterable<RailPayment> {
  let cursor: string | null = null;
  for (let page = 0; page < 100_000; page += 1) {
    const question = { type: 'payout.list', from: from.toISOString(), to: to.toISOString(), cursor };
    const response = await ask(`list_${at.getTime()}_${page}`, question);
    const read = Page.safeParse(response.status === 200 ? jsonOf(response) : null);
    if (!read.success) throw new Error(`The external rail's book could not be read: it answered ${response.status}.`);
    for (const { status, payoutId, affiliateId, ...rest } of read.data.payouts) {
      yield { ...rest, paymentId: payoutId ?? null, affiliateId: affiliateId ?? null, state: status, at: new Date(rest.at) };
    }
    const next: string | null = read.data.nextCursor ?? null;
    if (next === null) return;
    if (next === cursor) throw new Error('The external rail gives the same page again.');
    cursor = next;
  }
  throw new Error("The external rail's book has no end.");
}
