// The table of affiliates as a file: the selected ones, or all that match the filters, streamed in pages.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { anyOf, filterFields } from '../../partners/affiliates/filter/filter.ts';
import { type Match, selectMatches } from '../../partners/affiliates/filter/matches.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { csvPages, jsonPages, pageRows } from '../../platform/http/load/long-response.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import { ExportRow, readRows } from './row.ts';

type Row = z.input<typeof ExportRow>;

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
  route: 'GET /app/programs/:programId/affiliates/export',
  scope: 'read',
  requires: 'pii.export',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Export affiliates',
  description:
    'All affiliates that match the filters, or the selected ones among them, in the order in which they joined, as CSV or JSON. ' +
    'Amounts are in cents.',
  query: z.object({
    ...filterFields,
    ids: anyOf(uuid, { type: 'string', format: 'uuid' }).describe('Only these affiliates.'),
    format: z.enum(['json', 'csv']).default('csv'),
  }),
  statuses: [200],
  heavy: true,
  media: ['text/csv'],
  result: z
    .object({ affiliates: z.array(ExportRow).describe('Every affiliate that matches.') })
    .meta({ id: 'AffiliateTableExport', example: { affiliates: [exampleOf(ExportRow)] } }),
  async handle(ctx, { actor, query: { format, ...match } }) {
    const { programId, currency } = actor;
    const pages = readPages(ctx, { programId, currency }, { ...match, programId });
    const { ids, ...filter } = match;
    const after = { format, filter, selected: ids?.length ?? null };
    await transact(ctx, (tx) => recordChange(tx, { programId, actor, action: 'affiliates.exported', subjectId: programId, after }));
    if (format === 'json') {
      return new Document('application/json; charset=utf-8', jsonPages({ before: {}, name: 'affiliates', after: {} }, ExportRow, pages));
    }
    const fileName = `affiliates-${ctx.clock.now().toISOString().slice(0, 10)}.csv`;
    return new Document('text/csv; charset=utf-8', csvPages(columns, toCells(pages)), fileName);
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
    yield page;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < pageRows) return;
  }
}

async function* toCells(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<object[]> {
  for await (const page of pages) {
    yield page.map((row) => ({
      ...row,
      group: row.group?.name ?? '',
      tags: row.tags.join('; '),
      hasPayoutDetails: row.hasPayoutDetails ? 'yes' : 'no',
    }));
  }
}
