// Short links of a program: referral codes and vanity slugs share one namespace, and the primary key decides who gets a
// slug. A released slug keeps redirecting to its last owner until another affiliate takes it. The bare address `/r/SLUG`
// belongs permanently to the first program that takes the slug.
import type { Tx } from '../../../context.ts';
import { insertConcurrently } from '../../../platform/db/cluster/settings.ts';
import { toConflict } from '../../../platform/db/constraints.ts';
import { transact } from '../../../platform/db/transact.ts';
import { job } from '../../../platform/queue/job.ts';
import { insertOrRegisterLater, registerRetries } from '../../../platform/queue/register-later.ts';

type Owner = { programId: string; affiliateId: string };

type Code = Owner & { code: string };
type Registration = { programId: string; codes: readonly Code[] };

export const registerCodesLater = job<Registration>({
  name: 'registers.codes',
  retries: registerRetries,
  run: (ctx, registration) => transact(ctx, (tx) => registerCodes(tx, registration)),
});

/**
 * Assigns each affiliate a referral code that is unused in the installation, including as a slug. Returns them by affiliate. While a
 * node of a cluster is down, a job registers the codes later.
 */
export async function assignReferralCodes(tx: Tx, programId: string, affiliateIds: readonly string[]): Promise<Map<string, string>> {
  const assigned = new Map<string, string>();
  for (let attempt = 0; attempt < 20 && assigned.size < affiliateIds.length; attempt += 1) {
    const missing = affiliateIds.filter((id) => !assigned.has(id));
    const drawn = new Map(missing.map((affiliateId) => [tx.ids.referralCode(), affiliateId]));
    const slugs = await findSlugs(
      tx,
      programId,
      [...drawn.keys()].map((code) => code.toLowerCase()),
    );
    const codes = [...drawn].flatMap(([code, affiliateId]) => (slugs.has(code.toLowerCase()) ? [] : [{ code, programId, affiliateId }]));
    const inserted = await insertOrRegisterLater(tx, registerCodesLater, { programId, codes }, () => insertCodes(tx, codes));
    for (const { code, affiliateId } of inserted ?? codes) assigned.set(affiliateId, code);
  }
  if (assigned.size < affiliateIds.length) throw new Error('No free referral code was found in 20 attempts.');
  return assigned;
}

/** Returns those that were free. */
async function insertCodes(tx: Tx, codes: readonly Code[]): Promise<readonly Omit<Code, 'programId'>[]> {
  if (codes.length === 0) return [];
  await insertConcurrently(tx);
  return tx.db
    .insertInto('referralCodes')
    .values(codes)
    .onConflict((conflict) => conflict.columns(['code']).doNothing())
    .returning(['code', 'affiliateId'])
    .execute();
}

async function registerCodes(tx: Tx, { codes }: Registration): Promise<void> {
  const inserted = new Set((await insertCodes(tx, codes)).map(({ code }) => code));
  const taken = codes.filter(({ code }) => !inserted.has(code));
  if (taken.length === 0) return;
  const names = taken.map(({ code }) => code);
  const rows = await tx.db.selectFrom('referralCodes').select(['code', 'affiliateId']).where('code', 'in', names).execute();
  const owners = new Map(rows.map(({ code, affiliateId }) => [code, affiliateId]));
  const lost = taken.find(({ code, affiliateId }) => owners.get(code) !== affiliateId);
  if (lost) throw new Error(`The referral code ${lost.code} was assigned to another affiliate in the meantime.`);
}

/** Those that are slugs of the program or bare links. */
async function findSlugs(tx: Tx, programId: string, slugs: readonly string[]): Promise<Set<string>> {
  const bare = await tx.db.selectFrom('bareLinks').select('slug').where('slug', 'in', slugs).execute();
  const own = await tx.db.selectFrom('shortLinks').select('slug').where('programId', '=', programId).where('slug', 'in', slugs).execute();
  return new Set([...bare, ...own].map(({ slug }) => slug));
}

/** Adds referral codes, by the affiliates' ids, to the short links. The affiliates' rows must exist. */
export async function linkCodes(tx: Tx, programId: string, codes: ReadonlyMap<string, string>): Promise<void> {
  const rows = [...codes].map(([affiliateId, code]) => ({ programId, slug: code.toLowerCase(), affiliateId, kind: 'code' }));
  await tx.db.insertInto('shortLinks').values(rows).execute();
}

/** Takes a slug that is free or was released. Throws Conflict (409). */
export function takeSlug(tx: Tx, { programId, affiliateId }: Owner, slug: string): Promise<void> {
  return takeSlugs(tx, programId, [{ affiliateId, slug }]);
}

/** Like `takeSlug`, for several slugs, each named once. */
export async function takeSlugs(tx: Tx, programId: string, links: readonly { affiliateId: string; slug: string }[]): Promise<void> {
  if (links.length === 0) return;
  // In one order, so that two transactions can't deadlock.
  const rows = links.toSorted((one, other) => (one.slug < other.slug ? -1 : 1)).map((link) => ({ programId, ...link, kind: 'vanity' }));
  const taken = await tx.db
    .insertInto('shortLinks')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['programId', 'slug'])
        .doUpdateSet((set) => ({ affiliateId: set.ref('excluded.affiliateId'), releasedAt: null }))
        .where('shortLinks.releasedAt', 'is not', null),
    )
    .returning('slug')
    .execute();
  if (taken.length < rows.length) throw toConflict('short_links_pkey');
  await claimBareLinks(
    tx,
    programId,
    rows.map(({ slug }) => slug),
  );
}

/** Gives the bare addresses to this program, unless they belong to another program or are referral codes. */
async function claimBareLinks(tx: Tx, programId: string, slugs: readonly string[]): Promise<void> {
  const upper = slugs.map((slug) => slug.toUpperCase());
  const codes = await tx.db.selectFrom('referralCodes').select('code').where('code', 'in', upper).execute();
  const reserved = new Set(codes.map(({ code }) => code.toLowerCase()));
  const rows = slugs.filter((slug) => !reserved.has(slug)).map((slug) => ({ slug, programId }));
  if (rows.length === 0) return;
  await insertConcurrently(tx);
  const links = tx.db.insertInto('bareLinks').values(rows);
  await links.onConflict((conflict) => conflict.columns(['slug']).doNothing()).execute();
}

/** Releases a slug: it keeps redirecting to the affiliate until another affiliate of the program takes it. */
export async function releaseSlug(tx: Tx, { programId, affiliateId }: Owner, slug: string): Promise<void> {
  await tx.db
    .updateTable('shortLinks')
    .set({ releasedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('slug', '=', slug)
    .where('affiliateId', '=', affiliateId)
    .where('kind', '=', 'vanity')
    .execute();
}
