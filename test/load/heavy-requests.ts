// Requests that need much time or memory, on a program with enough data for each.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type FilledProgram, fillAffiliates, fillLedger, fillOwner, fillProducts, fillProgram } from './fill.ts';

export type HeavyRequest = { method: string; path: string; cookie?: string; body?: string };

/** A program with heavy requests, the cookie of its owner, and another program that should not notice them. */
export type Neighbors = { heavy: FilledProgram; cookie: string; neighbor: FilledProgram };

/** Fills both programs. A statement of 12,000 entries takes a few hundred milliseconds of one processor. */
export async function fillNeighbors(pool: pg.Pool, ledgerEntries: number): Promise<Neighbors> {
  const heavy = await fillProgram(pool, 1);
  const neighbor = await fillProgram(pool, 2);
  await fillLedger(pool, heavy, ledgerEntries);
  await fillProducts(pool, heavy, 5000);
  await fillAffiliates(pool, heavy, 20_000);
  return { heavy, cookie: await fillOwner(pool, heavy), neighbor };
}

const march = 'createdFrom=2026-03-01T00:00:00Z&createdTo=2026-04-01T00:00:00Z';
const picture = randomBytes(9_000_000).toString('base64');
const lines = Array.from({ length: 20 }, (_, index) => ({ externalProductId: `p-${index}`, amountCents: 100, quantity: 1 }));

function get({ path }: FilledProgram, suffix: string): HeavyRequest {
  return { method: 'GET', path: path + suffix };
}

export const heavyRequests: Record<string, (neighbors: Neighbors) => HeavyRequest> = {
  'image upload of 9 MB': ({ heavy, cookie }) => ({
    method: 'POST',
    path: '/app/media',
    cookie,
    body: JSON.stringify({ programId: heavy.programId, image: picture }),
  }),
  'page of affiliates in the console': ({ heavy, cookie }) => ({
    method: 'GET',
    path: `/app/programs/${heavy.programId}/affiliates?limit=100&sort=-salesCents&offset=15000`,
    cookie,
  }),
  'page of affiliates at a deep offset': ({ heavy }) => get(heavy, '/affiliates?limit=100&offset=19000&sort=lastName'),
  'page of events': ({ heavy }) => get(heavy, '/events?limit=100&objectType=affiliate&type=affiliate.archived'),
  'statement as PDF': ({ heavy }) => get(heavy, `/affiliates/${heavy.affiliateId}/statement?month=2026-03&format=pdf`),
  'statement as CSV': ({ heavy }) => get(heavy, `/affiliates/${heavy.affiliateId}/statement?month=2026-03&format=csv`),
  'statement as JSON': ({ heavy }) => get(heavy, `/affiliates/${heavy.affiliateId}/statement?month=2026-03`),
  'QR code as PNG': ({ heavy }) => get(heavy, `/affiliates/${heavy.affiliateId}/qr?format=png&size=2048`),
  'journal as CSV': ({ heavy }) => get(heavy, `/ledger/journal?${march}`),
  'journal as JSON': ({ heavy }) => get(heavy, `/ledger/journal?${march}&format=json`),
  'ledger integrity': ({ heavy }) => get(heavy, '/ledger/integrity?full=true'),
  'product feed as JSON': ({ heavy }) => get(heavy, '/products/feed'),
  'product feed for Google': ({ heavy }) => get(heavy, '/products/feed?format=google_xml'),
  'product import of one line of 1 MB': ({ heavy }) => ({
    method: 'POST',
    path: `${heavy.path}/products/import`,
    body: JSON.stringify({ csv: `externalId${',x'.repeat(500_000)}` }),
  }),
  'body of 1 MB made of tiny values': ({ heavy }) => ({
    method: 'POST',
    path: `${heavy.path}/products/import`,
    body: `{"csv":[${'{},'.repeat(340_000)}0]}`,
  }),
  'conversion batch of 200 orders with 20 items': ({ heavy }) => ({
    method: 'POST',
    path: '/v1/conversions/batch',
    body: JSON.stringify({
      conversions: Array.from({ length: 200 }, () => ({
        orderId: `o-${Math.random()}`,
        amountCents: 2000,
        affiliateId: heavy.affiliateId,
        items: lines,
      })),
    }),
  }),
};
