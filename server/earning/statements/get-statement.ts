// The monthly statement of an affiliate, as JSON, CSV or PDF, for the program and for the affiliate.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { csvPages, jsonPages } from '../../platform/http/load/long-response.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { localMonth } from '../../platform/lib/zoned-time.ts';
import { describeLine } from './describe-line.ts';
import { renderPdf } from './pdf.ts';
import { readStatement, type Statement } from './read-statement.ts';

/** About 600 pages and three seconds of rendering. */
const maxPdfLines = 20_000;

const Line = z
  .object({
    seq: countOut.describe('The sequence number of the ledger entry.'),
    createdAt: timestampOut,
    kind: z.enum(['earned', 'adjusted', 'paid']),
    entry: z.string().describe('The kind of the ledger entry.'),
    orderId: z.string().nullable(),
    leadExternalId: z.string().nullable().describe('The lead that it was earned for.'),
    reason: z.string().nullable(),
    amountCents: centsOut.describe('The change in the amount owed.'),
  })
  .meta({ id: 'StatementLine' });

const Shape = z
  .object({
    affiliateId: uuidOut,
    affiliateName: z.string(),
    programName: z.string(),
    currency: currencyOut,
    timezone: z.string().describe('The time zone of the month.'),
    month: z.string(),
    openingCents: centsOut.describe('The amount owed at the start of the month.'),
    earnedCents: centsOut,
    adjustedCents: centsOut.describe('Reversals and negative adjustments, less positive adjustments.'),
    paidCents: centsOut,
    closingCents: centsOut.describe('`openingCents` + `earnedCents` − `adjustedCents` − `paidCents`'),
    lines: z.array(Line),
    lastEntry: z
      .object({ seq: countOut, hash: z.string() })
      .nullable()
      .describe("The last entry of the program's ledger in the month, and its hash."),
  })
  .meta({
    id: 'Statement',
    example: {
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      affiliateName: 'Ada Lovelace',
      programName: 'Field & Fern',
      currency: 'USD',
      timezone: 'America/New_York',
      month: '2026-11',
      openingCents: 0,
      earnedCents: 498,
      adjustedCents: 149,
      paidCents: 0,
      closingCents: 349,
      lines: [
        {
          seq: 1204,
          createdAt: '2026-11-02T09:30:01.000Z',
          kind: 'earned',
          entry: 'accrue',
          orderId: 'FF-10023',
          leadExternalId: null,
          reason: null,
          amountCents: 498,
        },
        {
          seq: 1311,
          createdAt: '2026-11-08T14:00:02.000Z',
          kind: 'adjusted',
          entry: 'reverse',
          orderId: 'FF-10023',
          leadExternalId: null,
          reason: null,
          amountCents: -149,
        },
      ],
      lastEntry: { seq: 1311, hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    },
  });

const statementQuery = z.object({
  month: z
    .string()
    .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'must be a month like 2026-03')
    .optional()
    .describe("In the program's time zone. Default: the current month."),
  format: z.enum(['json', 'csv', 'pdf']).default('json'),
});

export const getStatement = endpoint({
  id: 'affiliates.statement',
  route: 'GET /v1/programs/:programId/affiliates/:id/statement',
  scope: 'read',
  tag: 'Ledger',
  summary: "Get an affiliate's monthly statement",
  description:
    '`openingCents` + `earnedCents` − `adjustedCents` − `paidCents` = `closingCents`. Every line is a ledger entry. The PDF prints names in ' +
    'Latin, Greek, Cyrillic, Armenian, Georgian, Arabic and Hebrew letters; letters of other scripts are question marks in it.',
  path: { id: affiliateSlot },
  query: statementQuery,
  statuses: [200],
  heavy: true,
  media: ['text/csv', 'application/pdf'],
  result: Shape,
  handle: (ctx, { actor, params, query }) => respond(ctx, { programId: actor.programId, affiliateId: params.id }, query),
});

export const getPortalStatement = endpoint({
  id: 'portal.statement',
  route: 'GET /app/portal/:programId/statement',
  scope: 'embed',
  affiliateStatuses: ['active', 'suspended', 'archived'],
  tag: 'Portal',
  summary: "Get the affiliate's monthly statement",
  query: statementQuery,
  statuses: [200],
  heavy: true,
  media: ['text/csv', 'application/pdf'],
  result: Shape,
  handle: (ctx, { actor, query }) => respond(ctx, actor, query),
});

type Owner = { programId: string; affiliateId: string };

async function respond(ctx: Context, { programId, affiliateId }: Owner, query: z.output<typeof statementQuery>): Promise<Document> {
  const now = ctx.clock.now();
  const { timezone } = await getProgram(ctx, programId);
  const month = query.month ?? localMonth(now, timezone);
  const statement = await readStatement(ctx, { programId, affiliateId, month });
  const fileName = `statement-${month}-${affiliateId.slice(-8)}`;
  if (query.format === 'csv') return new Document('text/csv; charset=utf-8', csvPages(columns, toTable(statement)), `${fileName}.csv`);
  if (query.format === 'json') return new Document('application/json; charset=utf-8', toJson(statement));
  if (statement.total > maxPdfLines)
    throw new Invalid([{ path: ['format'], message: `must be csv or json for a month with more than ${maxPdfLines} lines` }]);
  return new Document('application/pdf', await renderPdf(ctx.workers, statement, now), `${fileName}.pdf`);
}

function toJson({ summary: { lastEntry, ...before }, pages }: Statement): AsyncIterable<string> {
  return jsonPages({ before, name: 'lines', after: { lastEntry } }, Line, toRows(pages));
}

async function* toRows(pages: Statement['pages']) {
  for await (const page of pages)
    yield page.map((line) => ({ ...line, leadExternalId: line.lead, createdAt: line.createdAt.toISOString() }));
}

const columns = ['seq', 'createdAt', 'kind', 'orderId', 'description', 'amountCents', 'currency'];

async function* toTable({ summary: { currency, openingCents, closingCents }, pages }: Statement) {
  yield [{ kind: 'opening', amountCents: openingCents, currency }];
  for await (const page of pages)
    yield page.map((line) => ({ ...line, createdAt: line.createdAt.toISOString(), description: describeLine(line), currency }));
  yield [{ kind: 'closing', amountCents: closingCents, currency }];
}
