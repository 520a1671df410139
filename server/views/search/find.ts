// The queries of the search, one for each kind of object. Every condition uses an index: an exact key, or the trigrams of
// a text of at least three characters. Of the matches of a common text, only the first few hundred are ranked.
import { type RawBuilder, sql } from 'kysely';
import { containsWords, toLikePattern } from '../../accounts/programs/search.ts';
import type { Context } from '../../context.ts';
import { identifyBuyer } from '../../earning/customers/buyer.ts';
import { foldAccents } from '../../platform/lib/text.ts';
import { toCodeKey } from '../../promotion/coupons/code.ts';

type Db = Pick<Context, 'db'>;

/** What was typed: as it is, in lower case, and as an id if it is one. */
export type Text = { programId: string; raw: string; folded: string; id: string | null };

const shown = sql.raw('5');
const ranked = sql.raw('300');
const minPartLength = 3;

/** The column contains the text. A shorter text has no trigrams: the column must equal it. */
function contains(column: RawBuilder<unknown>, { folded }: Pick<Text, 'folded'>): RawBuilder<unknown> {
  return folded.length < minPartLength ? sql`${column} = ${folded}` : sql`${column} like ${toLikePattern(folded)}`;
}

/** The search text of an object contains every word, one of which must have trigrams. Otherwise it contains the text as it is. */
function matchesName({ folded }: Pick<Text, 'folded'>): RawBuilder<unknown> {
  const hasTrigrams = folded.split(/\s+/).some((word) => word.length >= minPartLength);
  return hasTrigrams ? containsWords(sql`search`, folded) : contains(sql`search`, { folded: foldAccents(folded) });
}

const nameOf = sql`trim(affiliate.first_name || ' ' || affiliate.last_name)`;

type FoundAffiliate = { id: string; name: string; email: string; referralCode: string; status: string };

export async function findAffiliates({ db }: Db, text: Text): Promise<FoundAffiliate[]> {
  const { programId, folded, id } = text;
  const { rows } = await sql<FoundAffiliate>`
    with found as (
      select id, true as is_exact from affiliates where program_id = ${programId} and id = ${id}::uuid
      union all
      select affiliate_id, true from short_links where program_id = ${programId} and slug = ${folded} and released_at is null
      union all
      select id, true from affiliates where program_id = ${programId} and email_key = ${folded}
      union all
      (select id, false from affiliates where program_id = ${programId} and ${matchesName(text)} limit ${ranked})
    )
    select affiliate.id, ${nameOf} as name, affiliate.email, affiliate.referral_code, affiliate.status
    from (select id, bool_or(is_exact) as is_exact from found group by id) as found
      join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = found.id
    order by is_exact desc, starts_with(affiliate.search, ${foldAccents(folded)}) desc, affiliate.created_at desc, affiliate.id desc
    limit ${shown}`.execute(db);
  return rows;
}

type FoundConversion = { id: string; orderId: string; affiliateName: string; amountCents: number; status: string; occurredAt: string };

export async function findConversions({ db }: Db, text: Text): Promise<FoundConversion[]> {
  const { programId, raw, folded, id } = text;
  const { hashKey } = await db.selectFrom('programs').select('hashKey').where('id', '=', programId).executeTakeFirstOrThrow();
  const { customerKeys } = identifyBuyer({ externalId: raw, email: raw }, hashKey);
  const { rows } = await sql<Omit<FoundConversion, 'occurredAt'> & { occurredAt: Date }>`
    with found as (
      select id from conversions where program_id = ${programId} and (id = ${id}::uuid or order_id = ${raw})
      union
      (select id from conversions where program_id = ${programId} and customer_keys && ${customerKeys}::text[] limit ${ranked})
      union
      (select id from conversions where program_id = ${programId} and ${contains(sql`lower(order_id)`, text)} limit ${ranked})
    )
    select conversion.id, conversion.order_id, ${nameOf} as affiliate_name, conversion.amount_cents, summary.status, conversion.occurred_at
    from found
      join conversions as conversion on conversion.program_id = ${programId} and conversion.id = found.id
      join conversion_summaries as summary on summary.program_id = ${programId} and summary.id = conversion.id
      join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = conversion.affiliate_id
    order by lower(conversion.order_id) = ${folded} desc, conversion.created_at desc, conversion.id desc limit ${shown}`.execute(db);
  return rows.map((row) => ({ ...row, occurredAt: row.occurredAt.toISOString() }));
}

type FoundPayout = { id: string; affiliateName: string; amountCents: number; status: string; createdAt: string };

export async function findPayouts({ db }: Db, text: Text): Promise<FoundPayout[]> {
  const { programId, raw, id } = text;
  const { rows } = await sql<Omit<FoundPayout, 'createdAt'> & { createdAt: Date }>`
    with named as (
      select id from affiliates where program_id = ${programId} and ${matchesName(text)} limit ${ranked}
    ), found as (
      select id from payouts where program_id = ${programId} and id = ${id}::uuid
      union
      select id from payouts where program_id = ${programId} and provider_reference = ${raw}
      union
      (select payout.id from named join payouts as payout on payout.program_id = ${programId} and payout.affiliate_id = named.id limit ${ranked})
    )
    select payout.id, ${nameOf} as affiliate_name, payout.amount_cents, payout.status, payout.created_at
    from found
      join payouts as payout on payout.program_id = ${programId} and payout.id = found.id
      join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = payout.affiliate_id
    order by coalesce(payout.id = ${id}::uuid or payout.provider_reference = ${raw}, false) desc, payout.created_at desc, payout.id desc
    limit ${shown}`.execute(db);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

type FoundCoupon = { id: string; code: string; affiliateName: string; status: string };

export async function findCoupons({ db }: Db, { programId, raw, id }: Text): Promise<FoundCoupon[]> {
  const key = toCodeKey(raw);
  const { rows } = await sql<FoundCoupon>`
    with found as (
      select id from coupons where program_id = ${programId} and (id = ${id}::uuid or code_key = ${key})
      union
      (select id from coupons where program_id = ${programId} and ${contains(sql`code_key`, { folded: key })} limit ${ranked})
    )
    select coupon.id, coupon.code, ${nameOf} as affiliate_name, coupon.status
    from found
      join coupons as coupon on coupon.program_id = ${programId} and coupon.id = found.id
      join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = coupon.affiliate_id
    order by coupon.code_key = ${key} desc, coupon.created_at desc, coupon.id desc limit ${shown}`.execute(db);
  return rows;
}

type FoundProduct = { id: string; name: string; sku: string | null; status: string };

export async function findProducts({ db }: Db, text: Text): Promise<FoundProduct[]> {
  const { programId, raw, folded, id } = text;
  const { rows } = await sql<FoundProduct>`
    with found as (
      select id from products where program_id = ${programId} and (id = ${id}::uuid or sku = ${raw} or external_id = ${raw})
      union
      (select id from products where program_id = ${programId} and ${matchesName(text)} limit ${ranked})
    )
    select product.id, product.name, product.sku, product.status
    from found join products as product on product.program_id = ${programId} and product.id = found.id
    order by product.status = 'archived', starts_with(product.search, ${foldAccents(folded)}) desc, product.created_at desc, product.id desc
    limit ${shown}`.execute(db);
  return rows;
}

type FoundPage = { id: string; slug: string; affiliateName: string; reviewStatus: string };

export async function findPages({ db }: Db, text: Text): Promise<FoundPage[]> {
  const { programId, folded, id } = text;
  const { rows } = await sql<FoundPage>`
    with found as (
      select id from landing_pages where program_id = ${programId} and (id = ${id}::uuid or slug = ${folded})
      union
      (select id from landing_pages where program_id = ${programId} and ${contains(sql`slug`, text)} limit ${ranked})
    )
    select page.id, page.slug, ${nameOf} as affiliate_name, page.review_status
    from found
      join landing_pages as page on page.program_id = ${programId} and page.id = found.id
      join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = page.affiliate_id
    order by page.slug = ${folded} desc, page.updated_at desc, page.id desc limit ${shown}`.execute(db);
  return rows;
}
