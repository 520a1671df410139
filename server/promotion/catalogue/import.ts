// Importing products: rows are matched by external id and stand alone, so a faulty one stops no other.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { type FaultyRow, readRows, type TextRow, toAddition, toChange } from './import-rows.ts';
import { type Addition, addProducts, type Change, changeProducts, lockProducts, type Present } from './import-write.ts';
import { findStrangeGroups } from './product.ts';

const maxBytes = 1024 * 1024;

const RowOutcome = z
  .object({
    row: countOut.describe('As a spreadsheet counts: the header is row 1.'),
    status: z.enum(['created', 'updated', 'unchanged', 'invalid']),
    id: uuidOut.optional(),
    details: z
      .array(z.object({ path: z.array(z.string()), message: z.string() }))
      .optional()
      .describe('What is wrong with the row.'),
  })
  .meta({ id: 'ImportedProductRow' });
type RowOutcome = z.infer<typeof RowOutcome>;

/** `rows` are null until the text was read. */
type Table = { text: string; rows: (TextRow | FaultyRow)[] | null };

export const importProducts = endpoint({
  id: 'products.import',
  route: 'POST /v1/programs/:programId/products/import',
  scope: 'write',
  tag: 'Products',
  summary: 'Import products from CSV',
  description:
    'The first row names the columns: `externalId`, by which products are matched, and any other field of a product. A new product ' +
    'needs `name`, `priceCents` and `checkoutUrl`. A column that is absent leaves its field as it is; an empty cell clears an ' +
    'optional text or price and leaves the rest. `allowedGroupIds` are separated by spaces. At most 2,000 rows and 1 MB. A faulty row stops no other.',
  body: z.object({ csv: z.string().transform((text): Table => ({ text, rows: null })) }).meta({
    id: 'ProductImport',
    example: { csv: 'externalId,name,priceCents,checkoutUrl\ntea-1,Sleep tea,1490,https://shop.example/cart/sleep-tea\n' },
  }),
  bodyLimitBytes: maxBytes,
  heavy: true,
  statuses: [200],
  result: z
    .object({ created: countOut, updated: countOut, unchanged: countOut, invalid: countOut, rows: z.array(RowOutcome) })
    .meta({ id: 'ProductImportResult' }),
  prepare: async (ctx, { csv: { text } }) => ({ csv: { text, rows: await readRows(ctx.workers, text) } }),
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const { rows } = body.csv;
    if (!rows) throw new Error('An import ran without its preparation.');
    const { additions, changes, faulty } = await sortRows(tx, programId, rows);
    const { created, late } = await addProducts(tx, actor, additions);
    const changed = await changeProducts(tx, actor, [...changes, ...late]);
    const outcomes: RowOutcome[] = [...faulty.map((fault) => ({ ...fault, status: 'invalid' as const })), ...created, ...changed];
    const count = (status: RowOutcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
    return {
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      invalid: count('invalid'),
      rows: outcomes.sort((a, b) => a.row - b.row),
    };
  },
});

/** What is to be added, what is to be changed, and what is wrong with the rows that can't be either. */
async function sortRows(tx: Tx, programId: string, rows: readonly (TextRow | FaultyRow)[]) {
  const named = rows.flatMap((row) => ('cells' in row ? row.externalId : []));
  const present = await lockProducts(tx, programId, named);
  const parsed = rows.map((row) => ('cells' in row ? parseRow(row, present.get(row.externalId)) : row));
  const groupIds = parsed.flatMap((row) => ('given' in row ? (row.given.allowedGroupIds ?? []) : []));
  const strange = await findStrangeGroups(tx, programId, groupIds);
  const sorted = { additions: [] as Addition[], changes: [] as Change[], faulty: [] as FaultyRow[] };
  const rowOf = new Map<string, number>();
  for (const row of parsed) {
    const fault = 'given' in row ? faultAmong(row, rowOf, strange) : row;
    if (fault) sorted.faulty.push(fault);
    else if ('before' in row) sorted.changes.push(row);
    else if ('given' in row) sorted.additions.push(row);
  }
  return sorted;
}

function parseRow(row: TextRow, before: Present | undefined): Addition | Change | FaultyRow {
  try {
    return before ? { row: row.row, before, given: toChange(row) } : { row: row.row, given: toAddition(row) };
  } catch (error) {
    if (error instanceof Invalid) return { row: row.row, details: error.details ?? [] };
    throw error;
  }
}

/** What is wrong with a row only beside others: its product stands above already, or its groups aren't there. */
function faultAmong({ row, given }: Addition | Change, rowOf: Map<string, number>, strange: ReadonlySet<string>): FaultyRow | null {
  const fault = (field: string, message: string) => ({ row, details: [{ path: [field], message }] });
  if (given.allowedGroupIds?.some((id) => strange.has(id))) return fault('allowedGroupIds', 'names a group that is not in this program');
  const first = rowOf.get(given.externalId);
  if (first !== undefined) return fault('externalId', `stands in row ${first} already`);
  rowOf.set(given.externalId, row);
  return null;
}
