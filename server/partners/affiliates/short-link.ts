// Short links of a program: referral codes and vanity slugs share one space, and the primary key
// decides who gets a slug. A slug that was given up keeps leading to its last owner until taken.
import type { Tx } from '../../context.ts';
import { toConflict } from '../../platform/db/constraints.ts';

type Owner = { programId: string; affiliateId: string };

/** Assigns a referral code that is free in the whole installation and as a slug of the program. */
export async function assignReferralCode(tx: Tx, programId: string, affiliateId: string): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const code = tx.ids.referralCode();
    const slug = await tx.db
      .selectFrom('shortLinks')
      .select('slug')
      .where('programId', '=', programId)
      .where('slug', '=', code.toLowerCase())
      .executeTakeFirst();
    if (slug) continue;
    const taken = await tx.db
      .insertInto('referralCodes')
      .values({ code, programId, affiliateId })
      .onConflict((conflict) => conflict.columns(['code']).doNothing())
      .returning('code')
      .executeTakeFirst();
    if (taken) return code;
  }
  throw new Error('No free referral code was found in 20 tries.');
}

/** Enters the affiliate's code among the short links. The affiliate's row must be there. */
export async function linkCode(tx: Tx, { programId, affiliateId }: Owner, code: string): Promise<void> {
  await tx.db.insertInto('shortLinks').values({ programId, slug: code.toLowerCase(), affiliateId, kind: 'code' }).execute();
}

/** Takes a slug that nobody holds, or that the affiliate itself or another one gave up. Throws Conflict (409). */
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
}

/** Gives a slug up: it keeps leading to the affiliate, and anybody may take it. */
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
