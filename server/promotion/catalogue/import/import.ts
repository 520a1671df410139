// Importing products from CSV. The text is parsed in a worker thread before the transaction opens.
import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { importProducts, rehearseImport } from './import-products.ts';
import type { ImportRow } from './imported-product.ts';
import { parseProductCsv } from './parse-csv.ts';

const maxBytes = 1024 * 1024;

const ImportedRow = z
  .object({
    row: countOut.describe('The row number in a spreadsheet; the header is row 1.'),
    status: z.enum(['created', 'updated', 'unchanged', 'invalid']),
    id: uuidOut.optional().describe('The id of the product. A product that a dry run would create has none.'),
    externalId: z.string().optional().describe("The product's id in the store, as the row has it."),
    details: z
      .array(z.object({ path: z.array(z.string()), message: z.string() }))
      .optional()
      .describe('The errors in an invalid row.'),
  })
  .meta({ id: 'ImportedProductRow' });

const ImportResult = z
  .object({ created: countOut, updated: countOut, unchanged: countOut, invalid: countOut, rows: z.array(ImportedRow) })
  .meta({
    id: 'ProductImportResult',
    example: {
      created: 1,
      updated: 0,
      unchanged: 0,
      invalid: 1,
      rows: [
        { row: 2, status: 'created', id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d', externalId: 'tea-1' },
        {
          row: 3,
          status: 'invalid',
          externalId: 'tea-2',
          details: [{ path: ['priceCents'], message: 'must be an integer amount in cents' }],
        },
      ],
    },
  });

/** `rows` is null until the text has been parsed. */
type Table = { text: string; rows: ImportRow[] | null };

export const importProductsFromCsv = endpoint({
  id: 'products.import',
  route: 'POST /v1/programs/:programId/products/import',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Products',
  summary: 'Import products from CSV',
  description:
    'The first row contains the column names: `externalId`, which identifies the product, and any other product field. A new ' +
    'product requires `name`, `priceCents` and `checkoutUrl`. A missing column leaves the field unchanged; an empty cell clears ' +
    'an optional text or price and leaves other fields unchanged. Separate `allowedGroupIds` with spaces. The file can contain ' +
    'at most 2,000 rows and 1 MB. Valid rows are imported even if others are invalid. With `dryRun`, the response says what the ' +
    'import would do to each row, and nothing is changed.',
  body: z.object({ csv: z.string().transform((text): Table => ({ text, rows: null })), dryRun: z.boolean().default(false) }).meta({
    id: 'ProductImport',
    example: { csv: 'externalId,name,priceCents,checkoutUrl\ntea-1,Sleep tea,1490,https://shop.example/cart/sleep-tea\n' },
  }),
  bodyLimitBytes: maxBytes,
  heavy: true,
  statuses: [200],
  result: ImportResult,
  prepare: async (ctx, { csv: { text }, ...options }) => ({ ...options, csv: { text, rows: await parseProductCsv(ctx.workers, text) } }),
  async handle(tx, { actor, body: { csv, dryRun } }) {
    if (!csv.rows) throw new Error('An import ran without its preparation.');
    return dryRun ? rehearseImport(tx, actor.programId, csv.rows) : importProducts(tx, actor, csv.rows);
  },
});
