// The entries of a program's ledger.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import type { Period } from '../../platform/db/day-totals.ts';
import { eventListOf, findSequencePage, sequencePage } from '../../platform/http/declaration/cursor.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { expandable, oneOf, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { EntryKind, EntryShape, entrySlot, kindList, toEntry } from './entry.ts';
import { countEntries } from './entry-counts.ts';

export const listEntries = endpoint({
  id: 'ledgerEntries.list',
  route: 'GET /v1/programs/:programId/ledger/entries',
  scope: 'read',
  tag: 'Ledger',
  summary: 'List ledger entries',
  description: `Newest first. Each entry moves an amount from one account to another:\n\n${kindList}\n\n`,
  query: z.object({
    kind: oneOf(EntryKind),
    affiliateId: uuid.optional(),
    commissionId: uuid.optional(),
    conversionId: uuid.optional().describe('Entries of the commissions of this order.'),
    ...timeRange('created'),
    ...sequencePage,
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: eventListOf('entries', EntryShape, 'LedgerEntryList'),
  async handle(
    ctx,
    { actor: { programId }, query: { kind, affiliateId, commissionId, conversionId, createdFrom, createdTo, expand, ...place } },
  ) {
    let entries = ctx.db.selectFrom('ledgerEntries').where('programId', '=', programId);
    if (kind) entries = entries.where('kind', 'in', kind);
    if (affiliateId) entries = entries.where('affiliateId', '=', affiliateId);
    if (commissionId) entries = entries.where('commissionId', '=', commissionId);
    if (conversionId)
      entries = entries.where('commissionId', 'in', (query) =>
        query.selectFrom('commissions').select('id').where('programId', '=', programId).where('conversionId', '=', conversionId),
      );
    entries = entries.where(withinRange('createdAt', createdFrom, createdTo));
    const isCounted = [affiliateId, commissionId, conversionId].every((filter) => filter === undefined);
    const total = isCounted ? await countEntries(ctx, programId, { kind, created: { from: createdFrom, to: createdTo } }) : null;
    const isPeriod = createdFrom !== undefined || createdTo !== undefined;
    if (isPeriod && total !== null && total <= fewMatches) {
      const { first, last } = await findEnds(ctx, programId, { from: createdFrom, to: createdTo });
      entries = entries.where('seq', '>=', first).where('seq', '<=', last);
    }
    const known = { count: total === null ? undefined : async () => total };
    const { rows, ...found } = await findSequencePage(entries, place, (matching) => matching.selectAll(), known);
    const expanded = expand.has('affiliate') ? [...new Set(rows.map((row) => row.affiliateId))] : [];
    const affiliates = await findAffiliateReferences(ctx, programId, expanded);
    return { entries: rows.map((row) => ({ ...toEntry(row), affiliate: affiliates.get(row.affiliateId) })), ...found };
  },
});

/** Up to this many entries, the ends of a period are looked up. */
const fewMatches = 200_000;

/**
 * The numbers of the first and the last entry of a period. Entries are sorted by their numbers: without these bounds,
 * PostgreSQL would read every entry after the period until it reaches it. `seq + 0` makes it read the index of times.
 */
async function findEnds({ db }: Pick<Context, 'db'>, programId: string, { from, to }: Period): Promise<{ first: number; last: number }> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(seq + 0) as first, max(seq + 0) as last from ledger_entries
    where program_id = ${programId} and created_at >= ${from ?? '-infinity'} and created_at < ${to ?? 'infinity'}`.execute(db);
  return { first: rows[0]?.first ?? 0, last: rows[0]?.last ?? 0 };
}

export const getEntry = endpoint({
  id: 'ledgerEntries.get',
  route: 'GET /v1/programs/:programId/ledger/entries/:id',
  scope: 'read',
  tag: 'Ledger',
  summary: 'Get a ledger entry',
  path: { id: entrySlot },
  statuses: [200],
  result: EntryShape,
  async handle(ctx, { actor, params }) {
    const entries = ctx.db.selectFrom('ledgerEntries').selectAll().where('programId', '=', actor.programId);
    return toEntry(await entries.where('id', '=', params.id).executeTakeFirstOrThrow());
  },
});
