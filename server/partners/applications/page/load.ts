// Reads what a join page shows: the program and its brand, the form, and the terms that apply to every new affiliate.
import { sql } from 'kysely';
import { z } from 'zod';
import { readBrand } from '../../../accounts/programs/brand/brand.ts';
import type { Context } from '../../../context.ts';
import { toMediaPath } from '../../../platform/lib/network/media-path.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { readTimes } from '../../../platform/test-clocks/program-clock.ts';
import { type JoinForm, readJoinForm } from '../settings/join-form.ts';

export type JoinProgram = {
  id: string;
  name: string;
  slug: string;
  websiteUrl: string | null;
  currency: string;
  holdDays: number;
  minimumPayoutCents: number;
  attributionWindowDays: number;
};

export type JoinBrand = { color: string; logoUrl: string | null };

/** What every order earns: a plain percentage or amount. */
export type PlainRate = { type: 'percentage'; rate: number } | { type: 'flat'; amountCents: number };

export type JoinPage = {
  program: JoinProgram;
  brand: JoinBrand;
  form: JoinForm;
  /** Null where earnings depend on more than the amount of an order. */
  rate: PlainRate | null;
};

const slugForm = /^[\w-]{1,100}$/;
export const defaultColor = '#0B5F59';

/** The page of a program; null for an unknown slug and for a program that never had a join form. */
export async function loadJoinPage(ctx: Context, slug: string): Promise<JoinPage | null> {
  const program = slugForm.test(slug) ? await findProgram(ctx, slug.toLowerCase()) : undefined;
  if (!program) return null;
  const { color, logoUrl: url } = await readBrand(ctx, program.id);
  const logoUrl = url === null ? null : (toMediaPath(url, getPublicUrl(ctx.config)) ?? url);
  // The color was validated when it was written: six hexadecimal digits.
  const brand = { color: color !== null && /^#[0-9A-F]{6}$/i.test(color) ? color : defaultColor, logoUrl };
  return { program, brand, form: await readJoinForm(ctx, program.id), rate: await readPlainRate(ctx, program.id) };
}

async function findProgram({ db }: Pick<Context, 'db'>, slug: string): Promise<JoinProgram | undefined> {
  return db
    .selectFrom('programs')
    .innerJoin('joinForms as form', 'form.programId', 'programs.id')
    .select([
      'programs.id',
      'programs.name',
      'programs.slug',
      'programs.websiteUrl',
      'programs.currency',
      'programs.holdDays',
      'programs.minimumPayoutCents',
      'programs.attributionWindowDays',
    ])
    .where('programs.slug', '=', slug)
    .where('programs.deleteAfter', 'is', null)
    .executeTakeFirst();
}

/** The terms of a rule that makes every order earn the same: everything that could limit it has its default. */
const PlainTerms = z.object({
  event: z.literal('sale'),
  type: z.enum(['percentage', 'flat']),
  rate: z.number().nullable(),
  amountCents: z.number().nullable(),
  per: z.literal('order'),
  trigger: z.literal('every'),
  durationMonths: z.null(),
  maxOccurrences: z.null(),
  minPerOrderCents: z.null(),
  maxPerOrderCents: z.null(),
  budgetCents: z.null(),
  tiers: z.tuple([]),
  conditions: z.tuple([]),
  excludeCouponOrders: z.literal(false),
});

/** The default rule, where it is the only one, and simple. */
async function readPlainRate(ctx: Context, programId: string): Promise<PlainRate | null> {
  const [now] = await readTimes(ctx, [programId]);
  const { rows } = await sql<{ terms: unknown }>`
    select terms from commission_rules
    where program_id = ${programId} and status = 'active' and level = 1
      and coalesce(product_id, group_id, affiliate_id) is null and category is null
      and (effective_from is null or effective_from <= ${now}) and (effective_to is null or effective_to > ${now})
    limit 2`.execute(ctx.db);
  const parsed = rows.length === 1 ? PlainTerms.safeParse(rows[0]?.terms) : undefined;
  if (!parsed?.success) return null;
  const { type, rate, amountCents } = parsed.data;
  if (type === 'percentage') return rate ? { type, rate } : null;
  return amountCents ? { type, amountCents } : null;
}
