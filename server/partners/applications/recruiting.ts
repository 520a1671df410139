// Recruiting links: the address of the join page with an affiliate's referral code. Who applies with it gets the affiliate
// as upline. A link counts while the affiliate is active and a commission rule of level 2 pays them.
import { sql } from 'kysely';
import { findVerification } from '../../accounts/identity/sign-in/verification.ts';
import type { Context, Tx } from '../../context.ts';
import { hasUplineRule, isInDownline } from '../affiliates/upline.ts';
import { joinUrl } from './settings/join-form.ts';

type Reading = Pick<Context, 'db' | 'clock'>;

/** The field of the form, and of the address, with the referral code of the affiliate. */
export const recruiterField = 'from';

export type Recruiter = { id: string; firstName: string; referralCode: string };

const codeForm = /^[a-z0-9]{1,40}$/i;

/** The affiliate whose recruiting link has this code; null for a code that does not count. */
export async function findRecruiter({ db, clock }: Reading, programId: string, code: string | null): Promise<Recruiter | null> {
  if (code === null || !codeForm.test(code)) return null;
  const { rows } = await sql<Recruiter>`
    select upline.id, upline.first_name, upline.referral_code from short_links as link
    join affiliates as upline on upline.program_id = ${programId} and upline.id = link.affiliate_id
    where link.program_id = ${programId} and link.slug = ${code.toLowerCase()} and link.kind = 'code'
      and upline.status = 'active' and ${hasUplineRule(programId, clock.now(), { isInEffect: true })}`.execute(db);
  return rows[0] ?? null;
}

type Owner = { programId: string; affiliateId: string };
export type RecruitingLink = { url: string; applied: number; active: number };

/** The recruiting link of an affiliate and who became their downline by it; null if the program offers none. */
export async function readRecruitingLink(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  { programId, affiliateId }: Owner,
): Promise<RecruitingLink | null> {
  const { rows } = await sql<{ slug: string; referralCode: string; applied: number; active: number }>`
    select program.slug, upline.referral_code, recruited.applied, recruited.active
    from affiliates as upline
    join programs as program on program.id = upline.program_id and program.delete_after is null
    join join_forms as form on form.program_id = ${programId} and form.is_open
    cross join lateral (
      select count(*) as applied, count(*) filter (where affiliate.status = 'active') as active from affiliates as affiliate
      where affiliate.program_id = ${programId} and affiliate.parent_affiliate_id = ${affiliateId} and affiliate.id in (
        select application.affiliate_id from applications as application
        where application.program_id = ${programId} and application.recruiter_id = ${affiliateId}
          and application.outcome <> 'unchanged')
    ) as recruited
    where upline.program_id = ${programId} and upline.id = ${affiliateId} and upline.status = 'active'
      and ${hasUplineRule(programId, ctx.clock.now(), { isInEffect: true })}`.execute(ctx.db);
  const [row] = rows;
  return row ? { url: recruitingUrl(ctx, row), applied: row.applied, active: row.active } : null;
}

function recruitingUrl(ctx: Pick<Context, 'config'>, { slug, referralCode }: { slug: string; referralCode: string }): string {
  return `${joinUrl(ctx, slug)}?${recruiterField}=${referralCode}`;
}

/** The referral code of the affiliate who recruited the applicant of a link, even one that has expired. */
export async function findCodeOfLink(ctx: Reading, programId: string, token: string): Promise<string | null> {
  const verification = await findVerification(ctx, token);
  if (verification?.purpose !== 'application') return null;
  const { rows } = await sql<{ referralCode: string }>`
    select affiliate.referral_code from applications as application
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = application.recruiter_id
    where application.program_id = ${programId} and application.verification_id = ${verification.id}`.execute(ctx.db);
  return rows[0]?.referralCode ?? null;
}

type Recruited = { programId: string; recruiterId: string | null };

/** The upline of a new affiliate: the recruiter, if they are still active. */
export async function findNewUpline({ db }: Tx, { programId, recruiterId }: Recruited): Promise<string | undefined> {
  if (recruiterId === null) return undefined;
  const affiliates = db.selectFrom('affiliates').select('id').where('programId', '=', programId).where('id', '=', recruiterId);
  return (await affiliates.where('status', '=', 'active').forKeyShare().executeTakeFirst())?.id;
}

type Existing = { id: string; parentAffiliateId: string | null };

/**
 * The upline of an affiliate who applies again: the recruiter, unless the affiliate has an upline, or had one by an earlier
 * application, which a member removed. Call under `lockUplines`.
 */
export async function findMissingUpline(tx: Tx, recruited: Recruited, affiliate: Existing): Promise<string | undefined> {
  const { programId } = recruited;
  if (affiliate.parentAffiliateId !== null) return undefined;
  const uplineId = await findNewUpline(tx, recruited);
  if (uplineId === undefined || (await isInDownline(tx, programId, affiliate.id, uplineId))) return undefined;
  const earlier = tx.db.selectFrom('applications').select('id').where('programId', '=', programId);
  const recruitedBefore = earlier
    .where('affiliateId', '=', affiliate.id)
    .where('recruiterId', 'is not', null)
    .where('outcome', '<>', 'unchanged');
  return (await recruitedBefore.executeTakeFirst()) ? undefined : uplineId;
}
