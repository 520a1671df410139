// Finds a person in a dump of all tables: by their name, by their address, and by hashes of it.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { identifyBuyer } from '../../../server/earning/customers/buyer.ts';
import { identifyAccount } from '../../../server/paying/payout-details/destination.ts';
import type { Vault } from '../../../server/platform/secrets/vault.ts';
import { email, firstName, lastName } from './person.ts';

/** Every row of every table as text, the queue's included. */
export async function dump(pool: pg.Pool): Promise<Map<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await pool.query(`select string_agg(row::text, E'\\n') as text from ${name} as row`);
    texts.set(name, rows[0].text ?? '');
  }
  return texts;
}

/** What identifies the person: parts of the name, the address, and hashes of the address. */
async function needles(pool: pg.Pool, vault: Vault): Promise<string[]> {
  const { rows } = await pool.query<{ hash_key: Buffer }>('select hash_key from programs');
  const keyed = rows.flatMap(({ hash_key: key }) => {
    const { customerKeys, mailboxHash } = identifyBuyer({ email }, key);
    return [...customerKeys.map((each) => each.slice('mail:'.length)), mailboxHash ?? ''];
  });
  const plain = [email, email.toLowerCase()].flatMap((text) =>
    ['sha256', 'sha1', 'md5'].map((name) => createHash(name).update(text).digest('hex')),
  );
  const fingerprint = vault.fingerprint(identifyAccount({ method: 'paypal', email }));
  return [firstName, lastName, 'plumtree', 'zwetschgula.q', ...plain, ...keyed, fingerprint].map((needle) => needle.toLowerCase());
}

/** The rows that still identify the person. */
export async function findHits(pool: pg.Pool, vault: Vault): Promise<string[]> {
  const wanted = await needles(pool, vault);
  return [...(await dump(pool))].flatMap(([table, text]) =>
    text
      .split('\n')
      .flatMap((line) =>
        wanted.filter((needle) => line.toLowerCase().includes(needle)).map((needle) => `${table}: ${needle} in ${line.slice(0, 300)}`),
      ),
  );
}
