// Clicks, orders and commissions of the demo, written in bulk with their totals.
import type { Insertable } from 'kysely';
import { recountTotals } from '../affiliates/recount.ts';
import type { Tx } from '../context.ts';
import type { Clicks, Commissions, Conversions } from '../db/schema.gen.ts';
import { products } from './cast.ts';
import type { Chance } from './chance.ts';

type Scene = { tx: Tx; chance: Chance; programId: string; affiliateIds: string[]; from: Date };

/** Fills the last `30` days with visits; a few affiliates bring most of them, as in life. */
export async function playActivity({ tx, chance, programId, affiliateIds, from }: Scene) {
  const rows = {
    clicks: [] as Insertable<Clicks>[],
    conversions: [] as Insertable<Conversions>[],
    commissions: [] as Insertable<Commissions>[],
  };
  const sometime = () => new Date(from.getTime() + chance.number(30 * 86_400_000));
  for (const [rank, affiliateId] of affiliateIds.entries()) {
    const visits = Math.floor(chance.number(1200) / (1 + (rank % 40)));
    for (let visit = 0; visit < visits; visit += 1) {
      rows.clicks.push({ programId, id: tx.ids.uuid(), affiliateId, createdAt: sometime() });
      if (chance.happens(4)) order({ tx, chance, programId, affiliateId, at: sometime(), rows });
    }
  }
  await inChunks(rows.clicks, (chunk) => tx.db.insertInto('clicks').values(chunk).execute());
  await inChunks(rows.conversions, (chunk) => tx.db.insertInto('conversions').values(chunk).execute());
  await inChunks(rows.commissions, (chunk) => tx.db.insertInto('commissions').values(chunk).execute());
  await recountTotals(tx, programId);
  return { clicks: rows.clicks.length, conversions: rows.conversions.length };
}

type Order = {
  tx: Tx;
  chance: Chance;
  programId: string;
  affiliateId: string;
  at: Date;
  rows: { conversions: Insertable<Conversions>[]; commissions: Insertable<Commissions>[] };
};

function order({ tx, chance, programId, affiliateId, at, rows }: Order): void {
  const id = tx.ids.uuid();
  const [, , priceCents] = chance.pick(products);
  const amountCents = priceCents * (1 + chance.number(3));
  rows.conversions.push({ programId, id, affiliateId, orderId: `FF-${10_000 + rows.conversions.length}`, amountCents, createdAt: at });
  const tenPercentCents = Math.floor((amountCents + 5) / 10);
  rows.commissions.push({ programId, id: tx.ids.uuid(), conversionId: id, affiliateId, amountCents: tenPercentCents, createdAt: at });
}

async function inChunks<T>(rows: T[], write: (chunk: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += 2000) await write(rows.slice(from, from + 2000));
}
