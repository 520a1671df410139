// What an export of a program says about itself. docs/guides/migrating.md describes the format.
import { z } from 'zod';

export const manifestFile = 'manifest.json';

export const Manifest = z.object({
  format: z.literal('tributary-program'),
  formatVersion: z.literal(1),
  /** The version of Tributary. */
  version: z.string(),
  exportedAt: z.coerce.date(),
  /** The last migration of the database: both installations must have the same. */
  migration: z.string(),
  program: z.object({ id: z.uuid(), name: z.string(), currency: z.string() }),
  /** The end of the ledger: its number of entries, and the hash of the last one in hex. */
  ledger: z.object({ entries: z.number(), hash: z.string() }),
  /** The files, each with a JSON object per line, in the order in which they are imported. */
  tables: z.array(z.object({ name: z.string(), rows: z.number(), sha256: z.string() })).min(1),
});
export type Manifest = z.infer<typeof Manifest>;

export const toFile = (table: string): string => `${table}.ndjson`;
