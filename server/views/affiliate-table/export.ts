// The table of affiliates as CSV: the selected ones, or all that match a filter, streamed in pages.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateFilter } from '../../partners/affiliates/filter/filter.ts';
import { type Match, selectMatches } from '../../partners/affiliates/filter/matches.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { csvPages, pageRows } from '../../platform/http/load/long-response.ts';
import { readRows, type TableRow } from './row.ts';

const columns = [
  'id',
  'firstName',
  'lastName',
  'email',
  'status',
  'group',
  'tags',
  'referralCode',
  'vanitySlug',
  'linkUrl',
  'createdAt',
  'invitedAt',
  'lastSaleAt',
  'clicks',
  'conversions',
  'salesCents',
  'commissionCents',
  'earningsPerClickCents',
  'conversionRate',
  'balanceCents',
  'currency',
  'pageState',
  'hasPayoutDetails',
] as const;

export const exportAffiliateTable = endpoint({
  id: 'affiliateTable.export',
  route: 'POST /app/programs/:programId/affiliates/export',
  scope: 'read',
  requires: 'pii.export',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Export affiliates as CSV',
  description: 'The selected affiliates, or all that match the filter, in the order in which they joined. Amounts are in cents.',
  body: z
    .object({ ids: z.array(uuid).max(1000).optional(), filter: AffiliateFilter.default({}) })
    .meta({ id: 'AffiliateExport', example: { filter: { status: ['active'] } } }),
  heavy: true,
  media: ['text/csv'],
  statuses: [200],
  result: z.string().meta({ id: 'AffiliateExportFile', example: 'id,firstName,lastName,email\r\n' }),
  async handle(ctx, { actor, body: { ids, filter } }) {
    const { programId, currency } = actor;
    const pages = readPages(ctx, { programId, currency }, { ...filter, ids, programId });
    const after = { filter, selected: ids?.length ?? null };
    await transact(ctx, (tx) => recordChange(tx, { programId, actor, action: 'affiliates.exported', subjectId: programId, after }));
    const fileName = `affiliates-${ctx.clock.now().toISOString().slice(0, 10)}.csv`;
    return new Document('text/csv; charset=utf-8', csvPages(columns, pages), fileName);
  },
});

async function* readPages(ctx: Context, owner: { programId: string; currency: string }, match: Match) {
  const { from } = selectMatches(match, { affiliates: true });
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<{ id: string }>`
      select affiliate.id ${from} and affiliate.id > ${last}::uuid order by affiliate.id limit ${pageRows}`.execute(ctx.db);
    const page = await readRows(
      ctx,
      owner,
      rows.map(({ id }) => id),
    );
    yield page.map(toCells);
    last = rows.at(-1)?.id ?? last;
    if (rows.length < pageRows) return;
  }
}

function toCells(row: TableRow): Record<string, unknown> {
  return { ...row, group: row.group?.name ?? '', tags: row.tags.join('; '), hasPayoutDetails: row.hasPayoutDetails ? 'yes' : 'no' };
}
