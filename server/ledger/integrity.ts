// Does the chain hold? Every hash is made again from what the rows say now, and the end of the chain
// must be the head that was kept, so that nothing can be cut off.
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { genesis, hashOf, type Link } from './chain.ts';

export type ChainFault = { seq: number; fault: 'hash' | 'gap' | 'head' | 'sum' };
export type ChainReport = { entries: number; head: string; faults: ChainFault[] };

const step = 5000;

/** Walks a program's whole chain in constant memory. Run it in one snapshot. */
export async function checkChain(db: Context['db'], programId: string): Promise<ChainReport> {
  const faults: ChainFault[] = [];
  let previous: Buffer = genesis;
  let seq = 0;
  for (;;) {
    const { rows } = await sql<Link & { hash: Buffer }>`
      select seq, id, kind, ref, affiliate_id, commission_id, debit, credit, cents, currency, created_at, hash
      from ledger_entries where program_id = ${programId} and seq > ${seq} order by seq limit ${step}`.execute(db);
    for (const row of rows) {
      if (row.seq !== seq + 1) faults.push({ seq: row.seq, fault: 'gap' });
      if (!hashOf(previous, row).equals(row.hash)) faults.push({ seq: row.seq, fault: 'hash' });
      previous = row.hash;
      seq = row.seq;
    }
    if (rows.length < step || faults.length > 100) break;
  }
  const head = await db.selectFrom('ledgerHeads').selectAll().where('programId', '=', programId).executeTakeFirst();
  if ((head?.seq ?? 0) !== seq || !(head?.hash ?? genesis).equals(previous)) faults.push({ seq, fault: 'head' });
  return { entries: seq, head: previous.toString('hex'), faults: faults.slice(0, 100) };
}

/** Every program that has books. */
export async function programsWithBooks(db: Context['db']): Promise<string[]> {
  const rows = await db.selectFrom('ledgerHeads').select('programId').orderBy('programId').execute();
  return rows.map(({ programId }) => programId);
}
