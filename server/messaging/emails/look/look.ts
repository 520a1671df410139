// Whose look an email has, and its language: emails to affiliates look like their program, emails to the staff and security
// notices like the service itself.
import type { Brand } from '../../../accounts/programs/brand/brand.ts';
import { readBrand } from '../../../accounts/programs/brand/brand.ts';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { type EmailText, findText } from '../editing/stored-texts.ts';

export const locales = ['en', 'de'] as const;
export type Locale = (typeof locales)[number];

export type Look =
  | { of: 'service' }
  | { of: 'program'; name: string; websiteUrl: string | null; logoUrl: string | null; color: string | null; postalAddress: string | null };

/** The look of an email and the language of its recipient. `edited`: the text that the program wrote instead of the default. */
export type Frame = { look: Look; locale: Locale; edited?: EmailText | null };

/** What a template says about the program. */
export type Sender = { name: string; websiteUrl: string | null };

export const serviceLook: Look = { of: 'service' };

type Source = Pick<Context, 'db' | 'config'>;

/** `email`: its name, if programs can edit its text. */
type Wanted = { programId: string; affiliateId: string | null; locale?: Locale; email?: string };

/** The frame of an email to an affiliate, and the program that sends it. */
export async function loadFrame(
  ctx: Source,
  { programId, affiliateId, locale: wanted, email }: Wanted,
): Promise<{ frame: Frame; sender: Sender }> {
  const programs = ctx.db.selectFrom('programs').select(['name', 'websiteUrl']).where('id', '=', programId);
  const program = await programs.executeTakeFirst();
  if (!program) throw new NotFound();
  const brand = await readBrand(ctx, programId);
  const chosen = affiliateId === null ? null : await findAffiliateLocale(ctx, programId, affiliateId);
  const locale = wanted ?? chosen ?? brand.emailLocale;
  const edited = email === undefined ? null : await findText(ctx, { programId, email, locale });
  return { frame: { look: toLook(ctx, program, brand), locale, edited }, sender: program };
}

/** Like `loadFrame`, for emails to several affiliates, whose text can't be edited: the look is read once. */
export async function loadFrames(
  ctx: Source,
  { programId, affiliateIds }: { programId: string; affiliateIds: readonly string[] },
): Promise<(affiliateId: string) => { frame: Frame; sender: Sender }> {
  const { frame, sender } = await loadFrame(ctx, { programId, affiliateId: null });
  const chosen = await findAffiliateLocales(ctx, programId, affiliateIds);
  return (affiliateId) => ({ frame: { ...frame, locale: chosen.get(affiliateId) ?? frame.locale }, sender });
}

/** The look of a program's emails. */
export function toLook({ config }: Pick<Context, 'config'>, { name, websiteUrl }: Sender, brand: Brand): Look {
  const { logoUrl, color, postalAddress } = brand;
  // Uploaded pictures have a path; email clients need the whole address.
  const absolute = logoUrl && URL.canParse(logoUrl, `${getPublicUrl(config)}/`) ? new URL(logoUrl, `${getPublicUrl(config)}/`).href : null;
  return { of: 'program', name, websiteUrl, logoUrl: absolute, color, postalAddress };
}

/** The language that a user chose; the default for an address without a user. */
export async function findUserLocale({ db }: Pick<Context, 'db'>, emailKey: string): Promise<Locale> {
  const user = await db.selectFrom('users').select('locale').where('emailKey', '=', emailKey).executeTakeFirst();
  return parseLocale(user?.locale) ?? 'en';
}

export function parseLocale(text: string | null | undefined): Locale | null {
  return locales.find((locale) => locale === text) ?? null;
}

/** The language of the user who claimed the affiliate, else of the user with the same address. Null without a user. */
async function findAffiliateLocale(ctx: Pick<Context, 'db'>, programId: string, affiliateId: string): Promise<Locale | null> {
  return (await findAffiliateLocales(ctx, programId, [affiliateId])).get(affiliateId) ?? null;
}

/** The same of several affiliates. */
async function findAffiliateLocales(
  { db }: Pick<Context, 'db'>,
  programId: string,
  affiliateIds: readonly string[],
): Promise<Map<string, Locale | null>> {
  if (affiliateIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('affiliates')
    .leftJoin('affiliateAccounts as account', (join) =>
      join.on('account.programId', '=', programId).onRef('account.affiliateId', '=', 'affiliates.id'),
    )
    .leftJoin('users as claimant', 'claimant.id', 'account.userId')
    .leftJoin('users as namesake', 'namesake.emailKey', 'affiliates.emailKey')
    .select(['affiliates.id', 'claimant.locale as claimed', 'namesake.locale as sameAddress'])
    .where('affiliates.programId', '=', programId)
    .where('affiliates.id', 'in', affiliateIds)
    .execute();
  return new Map(rows.map(({ id, claimed, sameAddress }) => [id, parseLocale(claimed ?? sameAddress)]));
}
