// One affiliate of the demo has a user, so that the portal and a live storefront can be opened immediately.
import { sql } from 'kysely';
import { claimAffiliates } from '../../accounts/identity/affiliate-accounts/claim.ts';
import { findOrCreateUser } from '../../accounts/identity/users/user.ts';
import type { Context, Tx } from '../../context.ts';

export type PortalUser = { userId: string; name: string; email: string; emailKey: string; storefrontPath: string };

/** Creates the user of the active affiliate with the most clicks whose page is live. */
export async function seedPortalUser(tx: Tx, programId: string): Promise<void> {
  const { rows } = await sql<{ email: string; name: string }>`
    select affiliate.email, trim(affiliate.first_name || ' ' || affiliate.last_name) as name
    from affiliates as affiliate
    join landing_pages as page on page.program_id = affiliate.program_id and page.affiliate_id = affiliate.id
    where affiliate.program_id = ${programId} and affiliate.status = 'active' and ${isLive}
    order by affiliate.clicks desc, affiliate.id limit 1`.execute(tx.db);
  const [found] = rows;
  if (!found) return;
  const { user } = await findOrCreateUser(tx, found);
  await claimAffiliates(tx, user);
}

/** The affiliate's user of the demo, with the address of the live page; null once the page is not live. */
export async function findPortalUser({ db }: Pick<Context, 'db'>, programId: string): Promise<PortalUser | null> {
  const { rows } = await sql<PortalUser>`
    select users.id as user_id, users.name, users.email, users.email_key, '/s/' || program.slug || '/' || page.slug as storefront_path
    from affiliate_accounts as account
    join users on users.id = account.user_id and users.status = 'active'
    join programs as program on program.id = account.program_id
    join landing_pages as page on page.program_id = account.program_id and page.affiliate_id = account.affiliate_id
    where account.program_id = ${programId} and ${isLive}
    order by account.claimed_at, account.user_id limit 1`.execute(db);
  return rows[0] ?? null;
}

const isLive = sql`page.is_published and page.review_status = 'approved'`;
