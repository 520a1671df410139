import { z } from 'zod';
import { parseJsonObject } from '../outcomes.ts';
import type { RailPayment } from '../rail.ts';
import type { Post } from './post.ts';

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

/** Every payment in a time span, page by page. Throws if a page is unavailable: an incomplete list proves nothing. */
export async function* listExternal({ from, to }: { from: Date; to: Date }, post: Post, at: Date): AsyncIterable<RailPayment> {
  let cursor: string | null = null;
  for (let page = 0; page < 100_000; page += 1) {
    const request = { type: 'payout.list', from: from.toISOString(), to: to.toISOString(), cursor };
    const response = await post(`list_${at.getTime()}_${page}`, request);
    const read = Page.safeParse(response.status === 200 ? parseJsonObject(response) : null);
    if (!read.success) throw new Error(`The payment list of the external provider could not be read (status ${response.status}).`);
    for (const { status, payoutId, affiliateId, ...rest } of read.data.payouts) {
      yield { ...rest, paymentId: payoutId ?? null, affiliateId: affiliateId ?? null, state: status, at: new Date(rest.at) };
    }
    const next: string | null = read.data.nextCursor ?? null;
    if (next === null) return;
    if (next === cursor) throw new Error('The external provider returned the same page twice.');
    cursor = next;
  }
  throw new Error('The payment list of the external provider does not end.');
}
