// Encrypted columns on the way between installations: each installation has its keys, so values are encrypted with a key of
// the export, which is in a file of its name and not in the folder.
import type { EncryptedColumn } from '../../../platform/secrets/encrypted-columns.ts';
import type { Vault } from '../../../platform/secrets/vault.ts';

type Row = Record<string, unknown>;
type Transfer = { from: Vault; to: Vault };

const toCamelCase = (row: Row): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), String(value)]),
  );

/** Encrypts the values of a line for the other vault. Lines of tables without encrypted columns are returned as they are. */
export function reencryptLine(line: string, columns: readonly EncryptedColumn[], { from, to }: Transfer): string {
  if (columns.length === 0) return line;
  const row = JSON.parse(line) as Row;
  const owner = toCamelCase(row);
  const changes = columns.flatMap((column) => {
    const stored = row[column.column];
    if (typeof stored !== 'string') return [];
    const text = from.decrypt(Buffer.from(stored.slice(2), 'hex'), column.owner(owner));
    const encrypted = `\\x${to.encrypt(text, column.owner(owner)).toString('hex')}`;
    return Object.entries({ [column.column]: encrypted, ...column.deriveColumns?.(text, to) });
  });
  return JSON.stringify({ ...row, ...Object.fromEntries(changes) });
}
