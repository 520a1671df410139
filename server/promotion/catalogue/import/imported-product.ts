// A product of an import: what a row may contain, and what its values must be.
import { z } from 'zod';
import { line } from '../../../platform/http/declaration/fields.ts';
import type { Detail } from '../../../platform/lib/errors.ts';
import { productFields } from '../product.ts';

export const AddedProduct = z.object({ ...productFields, externalId: line(200) });
export type AddedProduct = z.output<typeof AddedProduct>;
export const ChangedProduct = AddedProduct.partial().required({ externalId: true });
export type ChangedProduct = z.output<typeof ChangedProduct>;

/** A product to import. Values are validated row by row; an omitted field keeps its value, null clears it. */
export type ImportedProduct = { externalId: string } & { [Field in keyof AddedProduct]?: unknown };
export type InvalidRow = { row: number; details: Detail[] };
/** `row` is the number that the outcome refers to. */
export type ImportRow = { row: number; product: ImportedProduct } | InvalidRow;
