// What a backup says about itself: where it comes from, its schema, and a checksum for each table.
import { z } from 'zod';

const StoredMigration = z.object({ name: z.string(), hash: z.string(), appliedAt: z.coerce.date() });

/** The first frame. */
export const Header = z.object({
  /** The time of the snapshot, by the clock of the database. */
  takenAt: z.coerce.date(),
  /** The version of Tributary. */
  version: z.string(),
  postgresVersion: z.string(),
  /** See database-identity.ts. */
  databaseIdentity: z.string(),
  migrations: z.array(StoredMigration).min(1),
  /** The names of the keys that encrypted stored values. The keys themselves are never in a backup. */
  secretKeys: z.array(z.string()),
});
export type Header = z.infer<typeof Header>;

/** Before the data of a table. */
export const TableStart = z.object({ name: z.string(), columns: z.array(z.string()).min(1) });
export type TableStart = z.infer<typeof TableStart>;

/** After the data of a table. */
export const TableEnd = z.object({ name: z.string(), rows: z.number(), bytes: z.number(), sha256: z.string() });
export type TableEnd = z.infer<typeof TableEnd>;

/** The open background jobs, stored like a table. Their own schema depends on the version of the queue, so it isn't. */
export const jobsTable = 'background jobs';

export type Summary = { header: Header; tables: TableEnd[] };
