// What a program has before an import, as far as the records of the import concern it.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import type { PastRecord } from '../records.ts';

/** An order that was imported before. */
export type KnownOrder = { id: string; refundedCents: number };

export type KnownCommission = { id: string; status: string; amountCents: number; reversedCents: number; settledCents: number };

/** The kinds of records that are imported once. */
export const importedKinds = ['affiliate', 'customer', 'order', 'commission', 'payout'] as const;
export type ImportedKind = (typeof importedKinds)[number];

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
  /** Those of the records' order ids that are recorded. */
  orderIds: ReadonlySet<string>;
  /** The orders that were imported before, by their id there. */
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
export async function readKnown(ctx: Pick<Tx, 'db' | 'clock'>, { programId, source, program, records }: Scope): Promise<Known> {
  const affiliates = ctx.db.selectFrom('affiliates').select(['id', 'emailKey']).where('programId', '=', programId);
  const links = ctx.db.selectFrom('shortLinks').select(['slug', 'affiliateId']).where('programId', '=', programId);
  const emails = (await affiliates.execute()).map((row) => [row.emailKey, row.id] as const);
  return {
    ...program,
    now: ctx.clock.now(),
    imported: await readImported(ctx, programId, source),
    emails: new Map(emails),
    slugs: new Map((await links.execute()).map(({ slug, affiliateId }) => [slug, affiliateId])),
    orderIds: await readOrderIds(ctx, programId, records),
    orders: await readOrders(ctx, programId, source),
    commissions: await readCommissions(ctx, programId, source),
  };
}

/** What was imported from the source. */
export async function readImported(ctx: Pick<Tx, 'db'>, programId: string, source: string): Promise<Imported> {
  const { rows } = await sql<{ kind: ImportedKind; externalId: string; recordId: string }>`
    select kind, external_id, record_id from imported_records
    where program_id = ${programId} and source = ${source}`.execute(ctx.db);
  const imported: Imported = { affiliate: new Map(), customer: new Map(), order: new Map(), commission: new Map(), payout: new Map() };
  for (const { kind, externalId, recordId } of rows) imported[kind].set(externalId, recordId);
  return imported;
}

async function readOrderIds({ db }: Pick<Tx, 'db'>, programId: string, records: readonly PastRecord[]): Promise<Set<string>> {
  const ids = records.flatMap((record) => (record.kind === 'order' ? [record.id] : []));
  const { rows } = await sql<{ orderId: string }>`
    select order_id from conversions where program_id = ${programId} and order_id = any(${ids}::text[])`.execute(db);
  return new Set(rows.map(({ orderId }) => orderId));
}

async function readOrders({ db }: Pick<Tx, 'db'>, programId: string, source: string): Promise<Map<string, KnownOrder>> {
  const { rows } = await sql<KnownOrder & { externalId: string }>`
    select record.external_id, conversion.id, conversion.refunded_cents
    from imported_records as record
    join conversions as conversion on conversion.program_id = ${programId} and conversion.id = record.record_id
    where record.program_id = ${programId} and record.source = ${source} and record.kind = 'order'`.execute(db);
  return new Map(rows.map(({ externalId, ...order }) => [externalId, order]));
}

async function readCommissions({ db }: Pick<Tx, 'db'>, programId: string, source: string): Promise<Map<string, KnownCommission>> {
  const { rows } = await sql<KnownCommission>`
    select commission.id, commission.status, commission.amount_cents, commission.reversed_cents, commission.settled_cents
    from imported_records as record
    join commissions as commission on commission.program_id = ${programId} and commission.id = record.record_id
    where record.program_id = ${programId} and record.source = ${source} and record.kind = 'commission'`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The form in which email addresses are compared. */
export function toEmailKey(email: string): string {
  return emailKey(email.trim()) ?? email.trim().toLowerCase();
}
