// What a program has before an import, as far as the records of the import concern it.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import type { PastRecord } from '../records.ts';

/** An order that was imported before. */
export type KnownOrder = { refundedCents: number };

export type KnownCommission = { status: string; amountCents: number; reversedCents: number; settledCents: number };

/** The kinds of records that are imported once. */
export type ImportedKind = 'affiliate' | 'customer' | 'order' | 'commission' | 'payout';

/** What was imported from the source before: the id here of each id there. */
export type Imported = Record<ImportedKind, Map<string, string>>;

export type Program = { currency: string; timezone: string; holdDays: number };

export type Known = Program & {
  now: Date;
  imported: Imported;
  /** The ids of the program's affiliates, by `emailKey`. */
  emails: ReadonlyMap<string, string>;
  /** The affiliate of each short link. */
  slugs: ReadonlyMap<string, string>;
  /** Those of the records' order ids that are recorded, but not imported. */
  orderIds: ReadonlySet<string>;
  /** The orders that were imported before, by their id here. */
  orders: ReadonlyMap<string, KnownOrder>;
  /** The commissions that were imported before, by their id here. */
  commissions: ReadonlyMap<string, KnownCommission>;
};

/** Throws NotFound for a program that doesn't exist. */
export async function readProgram({ db }: Pick<Context, 'db'>, programId: string): Promise<Program> {
  const programs = db.selectFrom('programs').select(['currency', 'timezone', 'holdDays']).where('id', '=', programId);
  const program = await programs.executeTakeFirst();
  if (!program) throw new NotFound();
  return program;
}

type Scope = { programId: string; source: string; program: Program; records: readonly PastRecord[] };

/** Reads what the program has. */
export async function readKnown(tx: Pick<Tx, 'db' | 'clock'>, { programId, source, program, records }: Scope): Promise<Known> {
  const affiliates = tx.db.selectFrom('affiliates').select(['id', 'emailKey']).where('programId', '=', programId);
  const links = tx.db.selectFrom('shortLinks').select(['slug', 'affiliateId']).where('programId', '=', programId);
  const imported = await readImported(tx, programId, source);
  const orderIds = records.flatMap((record) => (record.kind === 'order' && !imported.order.has(record.id) ? record.id : []));
  return {
    ...program,
    now: tx.clock.now(),
    imported,
    emails: new Map((await affiliates.execute()).map(({ emailKey: key, id }) => [key, id])),
    slugs: new Map((await links.execute()).map(({ slug, affiliateId }) => [slug, affiliateId])),
    orderIds: await readOrderIds(tx, programId, orderIds),
    orders: await readOrders(tx, programId, [...imported.order.values()]),
    commissions: await readCommissions(tx, programId, [...imported.commission.values()]),
  };
}

/** Rows that are read together: the rows of a large program would otherwise need more memory than everything else. */
const pageRows = 5000;

/** Reads what was imported from the source, in the order of the primary key. */
async function readImported({ db }: Pick<Tx, 'db'>, programId: string, source: string): Promise<Imported> {
  const imported: Imported = { affiliate: new Map(), customer: new Map(), order: new Map(), commission: new Map(), payout: new Map() };
  for (let last: { kind: string; externalId: string } | undefined = { kind: '', externalId: '' }; last; ) {
    const { rows } = await sql<{ kind: ImportedKind; externalId: string; recordId: string }>`
      select kind, external_id, record_id from imported_records
      where program_id = ${programId} and source = ${source} and (kind, external_id) > (${last.kind}, ${last.externalId})
      order by kind, external_id limit ${pageRows}`.execute(db);
    for (const { kind, externalId, recordId } of rows) imported[kind].set(externalId, recordId);
    last = rows.length === pageRows ? rows.at(-1) : undefined;
  }
  return imported;
}

/** Reads the rows of these ids page by page, and passes each to `use`. */
async function readPages<Row>(
  ids: readonly string[],
  read: (page: string[]) => Promise<{ rows: Row[] }>,
  use: (row: Row) => void,
): Promise<void> {
  for (let from = 0; from < ids.length; from += pageRows) for (const row of (await read(ids.slice(from, from + pageRows))).rows) use(row);
}

async function readOrderIds({ db }: Pick<Tx, 'db'>, programId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const read = (page: string[]) =>
    sql<{ orderId: string }>`
      select order_id from conversions where program_id = ${programId} and order_id = any(${page}::text[])`.execute(db);
  await readPages(ids, read, ({ orderId }) => found.add(orderId));
  return found;
}

async function readOrders({ db }: Pick<Tx, 'db'>, programId: string, ids: readonly string[]): Promise<Map<string, KnownOrder>> {
  const orders = new Map<string, KnownOrder>();
  const read = (page: string[]) =>
    sql<KnownOrder & { id: string }>`
      select id, refunded_cents from conversions where program_id = ${programId} and id = any(${page}::uuid[])`.execute(db);
  await readPages(ids, read, ({ id, ...order }) => orders.set(id, order));
  return orders;
}

async function readCommissions({ db }: Pick<Tx, 'db'>, programId: string, ids: readonly string[]): Promise<Map<string, KnownCommission>> {
  const commissions = new Map<string, KnownCommission>();
  const read = (page: string[]) =>
    sql<KnownCommission & { id: string }>`
      select id, status, amount_cents, reversed_cents, settled_cents from commissions
      where program_id = ${programId} and id = any(${page}::uuid[])`.execute(db);
  await readPages(ids, read, ({ id, ...commission }) => commissions.set(id, commission));
  return commissions;
}

/** The form in which email addresses are compared. */
export function toEmailKey(email: string): string {
  return emailKey(email.trim()) ?? email.trim().toLowerCase();
}
