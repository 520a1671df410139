// Whether the keys of this process decrypt what is stored. Without them, payout details and the secrets of providers are lost.
import type { Context } from '../../context.ts';
import { countByKey, type EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';
import type { Finding } from './invariants.ts';

/** A finding beside those of the invariants: one row per column and missing key. */
export async function checkDecryption({ db, vault }: Pick<Context, 'db' | 'vault'>, columns: readonly EncryptedColumn[]): Promise<Finding> {
  const broken: unknown[] = [];
  for (const column of columns) {
    for (const [key, values] of await countByKey({ db }, column))
      if (!vault.keyNames.includes(key)) broken.push({ table: column.table, column: column.column, key, values });
  }
  return { name: 'every encrypted value can be decrypted', broken };
}
