import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { importProducts } from './import-products.ts';
import { type FaultyRow, readRows, type TextRow, toProductRow } from './import-rows.ts';

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

/** `rows` are null until the text was read. */
type Table = { text: string; rows: (TextRow | FaultyRow)[] | null };

export const importProductsFromCsv = endpoint({
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
    const { rows } = body.csv;
    if (!rows) throw new Error('An import ran without its preparation.');
    return importProducts(
      tx,
      actor,
      rows.map((row) => ('cells' in row ? toProductRow(row) : row)),
    );
  },
});
