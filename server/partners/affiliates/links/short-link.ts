// Short links of a program: referral codes and vanity slugs share one namespace, and the primary key decides who gets a
// slug. A released slug keeps redirecting to its last owner until another affiliate takes it. The bare address `/r/SLUG`
// belongs permanently to the first program that takes the slug.
import type { Tx } from '../../../context.ts';
import { insertConcurrently } from '../../../platform/db/cluster/settings.ts';
import { toConflict } from '../../../platform/db/constraints.ts';

type Owner = { programId: string; affiliateId: string };

/** Assigns a referral code that is unused in the installation, including as a slug. */
export async function assignReferralCode(tx: Tx, programId: string, affiliateId: string): Promise<string> {
  await insertConcurrently(tx);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const code = tx.ids.referralCode();
    if (await isSlug(tx, programId, code.toLowerCase())) continue;
    const assigned = await tx.db
      .insertInto('referralCodes')
      .values({ code, programId, affiliateId })
      .onConflict((conflict) => conflict.columns(['code']).doNothing())
      .returning('code')
      .executeTakeFirst();
    if (assigned) return code;
  }
  throw new Error('No free referral code was found in 20 attempts.');
}

async function isSlug(tx: Tx, programId: string, slug: string): Promise<boolean> {
  const bare = await tx.db.selectFrom('bareLinks').select('slug').where('slug', '=', slug).executeTakeFirst();
  const own = tx.db.selectFrom('shortLinks').select('slug').where('programId', '=', programId).where('slug', '=', slug);
  return bare !== undefined || (await own.executeTakeFirst()) !== undefined;
}

/** Adds the affiliate's code to the short links. The affiliate's row must exist. */
export async function linkCode(tx: Tx, { programId, affiliateId }: Owner, code: string): Promise<void> {
  await tx.db.insertInto('shortLinks').values({ programId, slug: code.toLowerCase(), affiliateId, kind: 'code' }).execute();
}

/** Takes a slug that is free or was released. Throws Conflict (409). */
export async function takeSlug(tx: Tx, { programId, affiliateId }: Owner, slug: string): Promise<void> {
  const taken = await tx.db
    .insertInto('shortLinks')
    .values({ programId, slug, affiliateId, kind: 'vanity' })
    .onConflict((conflict) =>
      conflict.columns(['programId', 'slug']).doUpdateSet({ affiliateId, releasedAt: null }).where('shortLinks.releasedAt', 'is not', null),
    )
    .returning('slug')
    .executeTakeFirst();
  if (!taken) throw toConflict('short_links_pkey');
  await claimBareLink(tx, programId, slug);
}

/** Gives the bare address to this program, unless it belongs to another program or is a referral code. */
async function claimBareLink(tx: Tx, programId: string, slug: string): Promise<void> {
  const code = await tx.db.selectFrom('referralCodes').select('code').where('code', '=', slug.toUpperCase()).executeTakeFirst();
  if (code) return;
  await insertConcurrently(tx);
  const links = tx.db.insertInto('bareLinks').values({ slug, programId });
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
