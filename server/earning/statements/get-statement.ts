// The monthly statement of an affiliate, as JSON, CSV or PDF.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { csvPages, jsonPages } from '../../platform/http/load/long-response.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { localMonth } from '../../platform/lib/zoned-time.ts';
import { renderPdf } from './pdf.ts';
import { readStatement, type Statement } from './statement.ts';
import { lineWords } from './words.ts';

/** About 600 pages of paper, and three seconds of rendering. */
const mostPdfLines = 20_000;

const Line = z.object({
  seq: countOut,
  at: timestampOut,
  kind: z.enum(['earned', 'adjusted', 'paid']),
  entry: z.string(),
  orderId: z.string().nullable(),
  reason: z.string().nullable(),
  cents: centsOut,
});

const Shape = z
  .object({
    affiliateId: uuidOut,
    affiliateName: z.string(),
    programName: z.string(),
    currency: z.string(),
    timezone: z.string().describe('The time zone of the month.'),
    month: z.string(),
    openingCents: centsOut.describe('Owed when the month began.'),
    earnedCents: centsOut,
    adjustedCents: centsOut.describe('Taken back by refunds and corrections; below 0 when more was given.'),
    paidCents: centsOut,
    closingCents: centsOut.describe('opening + earned − adjusted − paid'),
    lines: z.array(Line),
    seal: z.object({ seq: countOut, hash: z.string() }).nullable().describe("The ledger's last entry in the month, and its hash."),
  })
  .meta({ id: 'Statement' });

export const getStatement = endpoint({
  id: 'affiliates.statement',
  route: 'GET /v1/programs/:programId/affiliates/:id/statement',
  scope: 'read',
  tag: 'Ledger',
  summary: "Get an affiliate's monthly statement",
  description: 'opening + earned − adjusted − paid = closing. Every line is an entry of the ledger.',
  path: { id: affiliateSlot },
  query: z.object({
    month: z
      .string()
      .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'must be a month like 2026-03')
      .optional()
      .describe("In the program's time zone. Default: the current month."),
    format: z.enum(['json', 'csv', 'pdf']).default('json'),
  }),
  statuses: [200],
  heavy: true,
  media: ['text/csv', 'application/pdf'],
  result: Shape,
  async handle(ctx, { actor, params, query }) {
    const now = ctx.clock.now();
    const { timezone } = await getProgram(ctx, actor.programId);
    const month = query.month ?? localMonth(now, timezone);
    const statement = await readStatement(ctx, { programId: actor.programId, affiliateId: params.id, month });
    const fileName = `statement-${month}-${params.id.slice(-8)}`;
    if (query.format === 'csv') return new Document('text/csv; charset=utf-8', csvPages(columns, tableOf(statement)), `${fileName}.csv`);
    if (query.format === 'json') return new Document('application/json; charset=utf-8', jsonOf(statement));
    if (statement.total > mostPdfLines)
      throw new Invalid([{ path: ['format'], message: `must be csv or json for a month with more than ${mostPdfLines} lines` }]);
    return new Document('application/pdf', await renderPdf(ctx.workers, statement, now), `${fileName}.pdf`);
  },
});

function jsonOf({ summary: { seal, ...before }, pages }: Statement): AsyncIterable<string> {
  return jsonPages({ before, name: 'lines', after: { seal } }, Line, toRows(pages));
}

async function* toRows(pages: Statement['pages']) {
  for await (const page of pages) yield page.map((line) => ({ ...line, at: line.at.toISOString() }));
}

const columns = ['seq', 'at', 'kind', 'orderId', 'what', 'cents', 'currency'];

async function* tableOf({ summary: { currency, openingCents, closingCents }, pages }: Statement) {
  yield [{ kind: 'opening', cents: openingCents, currency }];
  for await (const page of pages) yield page.map((line) => ({ ...line, at: line.at.toISOString(), what: lineWords(line), currency }));
  yield [{ kind: 'closing', cents: closingCents, currency }];
}
