// A person over all programs: the user of an email address, and what else is known by the address: affiliates, applicants,
// invited members, customers. Their names are read before anything is erased, because the rows with them are erased first.
import { domainToUnicode } from 'node:url';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { listPrograms } from '../../platform/queue/each-program.ts';

export const Person = z.object({
  /** The address as addresses are compared. */
  emailKey: z.string(),
  /** The user with this address; null for an address without a user. */
  userId: z.string().nullable(),
  /** Every spelling of the address, and of other addresses of affiliates that the user has claimed. In lower case. */
  addresses: z.array(z.string()),
  /** Domains of these addresses that no other affiliate and no other user has. */
  ownDomains: z.array(z.string()),
  /** First and last names; a name that is stored as a whole has an empty last name. */
  names: z.array(z.tuple([z.string(), z.string()])),
  /** The visitors whose cookie the browsers of the user had. */
  visitorIds: z.array(z.string()),
});
export type Person = z.infer<typeof Person>;

/** Reads the person with this address. Throws Invalid for something else than an address. */
export async function findPerson(ctx: Context, address: string): Promise<Person> {
  const key = emailKey(address.trim());
  if (key === null) throw new Invalid([{ path: ['email'], message: 'must be an email address' }]);
  const user = await ctx.db.selectFrom('users').select(['id', 'email', 'name']).where('emailKey', '=', key).executeTakeFirst();
  const found = { addresses: new Set(spell(key)), names: new Map<string, [string, string]>() };
  const add = (first: string, last: string) => void found.names.set(`${first}\n${last}`, [first, last]);
  if (user) {
    add(user.name, '');
    for (const spelling of spell(user.email)) found.addresses.add(spelling);
  }
  for (const programId of await listPrograms(ctx)) {
    for (const { email, first, last } of await readNames(ctx, programId, { key, userId: user?.id ?? null })) {
      add(first, last);
      for (const spelling of spell(email)) found.addresses.add(spelling);
    }
  }
  const addresses = [...found.addresses];
  return {
    emailKey: key,
    userId: user?.id ?? null,
    addresses,
    ownDomains: await findOwnDomains(ctx, addresses),
    names: [...found.names.values()].filter(([first, last]) => `${first}${last}`.trim() !== ''),
    visitorIds: user ? await readVisitors(ctx, user.id) : [],
  };
}

/** The affiliates of a program with one of these addresses, and those that the user has claimed: what follows `from affiliates`. */
export const whereAffiliateOf = (programId: string, { emailKeys, userId }: { emailKeys: readonly string[]; userId: string | null }) =>
  sql`where program_id = ${programId} and (email_key = any(${emailKeys}) or id in (
    select affiliate_id from affiliate_accounts where program_id = ${programId} and user_id = ${userId}::uuid))`;

type Named = { email: string; first: string; last: string };

async function readNames({ db }: Context, programId: string, { key, userId }: { key: string; userId: string | null }): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select email, first_name as first, last_name as last from affiliates ${whereAffiliateOf(programId, { emailKeys: [key], userId })}
    union select email, first_name, last_name from applications where program_id = ${programId} and email_key = ${key}
    union select email, name, '' from member_invitations where program_id = ${programId} and email_key = ${key}`.execute(db);
  return rows;
}

/** The audit log masks addresses, but not their domains. */
async function findOwnDomains(ctx: Context, addresses: readonly string[]): Promise<string[]> {
  const domains = new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)));
  const domain = sql`split_part(email_key, '@', 2)`;
  const isOther = sql`${domain} = any(${[...domains]}) and email_key <> all(${addresses})`;
  const removeFound = async (found: RawBuilder<{ domain: string }>): Promise<void> => {
    for (const row of (await found.execute(ctx.db)).rows) domains.delete(row.domain);
  };
  await removeFound(sql`select distinct ${domain} as domain from users where ${isOther}`);
  for (const programId of await listPrograms(ctx))
    await removeFound(sql`select distinct ${domain} as domain from affiliates where program_id = ${programId} and ${isOther}`);
  return [...domains];
}

async function readVisitors({ db }: Context, userId: string): Promise<string[]> {
  const sessions = db.selectFrom('sessions').select('visitorId').distinct().where('userId', '=', userId).where('visitorId', 'is not', null);
  return (await sessions.execute()).flatMap(({ visitorId }) => visitorId ?? []);
}

/** The address with its domain as it is written and in punycode. */
function spell(address: string): string[] {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  const unicode = `${lower.slice(0, at)}@${domainToUnicode(lower.slice(at + 1))}`;
  return [...new Set([lower, emailKey(address) ?? lower, unicode])];
}
