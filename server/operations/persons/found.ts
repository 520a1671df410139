// A person in one program: the rows that lead to all others, and the slugs, codes and keys that identify the person there.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { identifyBuyer } from '../../earning/customers/buyer.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { foldAccents } from '../../platform/lib/text.ts';
import { type Person, whereAffiliateOf } from './person.ts';

export type Found = {
  programId: string;
  affiliates: { id: string; status: string; referralCode: string }[];
  affiliateIds: string[];
  /** The addresses as they are compared. */
  emailKeys: string[];
  pageIds: string[];
  /** Ids of the person's rows that other rows refer to: affiliates, pages, coupons, claims and the like. */
  ids: string[];
  slugs: string[];
  /** Coupons whose code contains a name. */
  coupons: { id: string; code: string }[];
  /** The customers that the addresses name, with the keys by which they are recognized. */
  customers: { id: string; key: string }[];
  /** Keyed hashes of the addresses, as orders store them. */
  buyerHashes: string[];
};

/** Reads them, and locks the affiliates. */
export async function findInProgram({ db }: Tx, programId: string, person: Person): Promise<Found> {
  const emailKeys = [...new Set([person.emailKey, ...person.addresses.flatMap((address) => emailKey(address) ?? [])])];
  const { rows: affiliates } = await sql<Found['affiliates'][number]>`
    select id, status, referral_code from affiliates ${whereAffiliateOf(programId, { emailKeys, userId: person.userId })}
    order by id for update`.execute(db);
  const affiliateIds = affiliates.map(({ id }) => id);
  const slugs = await sql<{ pageId: string | null; slug: string }>`
    select null::uuid as page_id, slug from short_links
      where program_id = ${programId} and affiliate_id = any(${affiliateIds}::uuid[]) and kind = 'vanity'
    union all select id, slug from landing_pages where program_id = ${programId} and affiliate_id = any(${affiliateIds}::uuid[])
    union all select page_id, slug from landing_page_forwards where program_id = ${programId} and page_id in (
      select id from landing_pages where program_id = ${programId} and affiliate_id = any(${affiliateIds}::uuid[]))`.execute(db);
  const coupons = await sql<Found['coupons'][number]>`
    select id, code from coupons where program_id = ${programId} and affiliate_id = any(${affiliateIds}::uuid[])`.execute(db);
  const pageIds = [...new Set(slugs.rows.flatMap(({ pageId }) => pageId ?? []))];
  return {
    programId,
    ids: [...affiliateIds, ...pageIds, ...(await findOwnRows(db, programId, { affiliateIds, emailKeys }))],
    affiliates,
    affiliateIds,
    emailKeys,
    pageIds,
    slugs: [...new Set(slugs.rows.map(({ slug }) => slug))],
    coupons: coupons.rows.filter(({ code }) => hasName(code, person)),
    ...(await findCustomer(db, programId, person)),
  };
}

/** Tables whose rows belong to an affiliate and are referred to by others, such as entries of the audit log. */
const ownTables = ['coupons', 'affiliate_links', 'affiliate_notes', 'claims', 'bounty_submissions', 'webhooks', 'applications'];

async function findOwnRows(
  db: Tx['db'],
  programId: string,
  { affiliateIds, emailKeys }: Pick<Found, 'affiliateIds' | 'emailKeys'>,
): Promise<string[]> {
  const own = ownTables.map(
    (table) => sql`select id from ${sql.table(table)} where program_id = ${programId} and affiliate_id = any(${affiliateIds}::uuid[])`,
  );
  const ofAddress = ['applications', 'member_invitations'].map(
    (table) => sql`select id from ${sql.table(table)} where program_id = ${programId} and email_key = any(${emailKeys})`,
  );
  const { rows } = await sql<{ id: string }>`${sql.join([...own, ...ofAddress], sql` union `)}`.execute(db);
  return rows.map(({ id }) => id);
}

async function findCustomer(db: Tx['db'], programId: string, { addresses }: Person): Promise<Pick<Found, 'customers' | 'buyerHashes'>> {
  const program = await db.selectFrom('programs').select('hashKey').where('id', '=', programId).executeTakeFirstOrThrow();
  const buyers = addresses.map((email) => identifyBuyer({ email }, program.hashKey));
  // A store may use the address as its id of the customer.
  const keys = [...buyers.flatMap(({ customerKeys }) => customerKeys), ...addresses.map((address) => `id:${address}`)];
  const { rows } = await sql<Found['customers'][number]>`
    select customer_id as id, key from customer_keys where program_id = ${programId} and customer_id in (
      select customer_id from customer_keys where program_id = ${programId} and (key = any(${keys}) or lower(key) = any(${keys})))`.execute(
    db,
  );
  const unknown = keys.filter((key) => rows.every((row) => row.key !== key)).map((key) => ({ id: '', key }));
  return { customers: [...rows, ...unknown], buyerHashes: buyers.flatMap(({ mailboxHash }) => mailboxHash ?? []) };
}

const minNameLength = 3;

/** Whether a code contains a part of a name. */
function hasName(code: string, { names, addresses }: Person): boolean {
  const parts = [...names.flat(), ...addresses.map((address) => address.slice(0, address.lastIndexOf('@')))];
  const words = parts.flatMap((part) => part.split(/[\s._+-]+/)).filter((word) => word.length >= minNameLength);
  const folded = foldAccents(code);
  return words.some((word) => folded.includes(foldAccents(word)));
}
