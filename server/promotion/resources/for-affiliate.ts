// What one affiliate sees of the resources: those for all or for the affiliate's group, with the affiliate's link, codes and name in
// their texts.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { readLink } from '../../partners/affiliates/links/read-link.ts';
import { fillText, type Personal } from './fill-text.ts';

type Owner = { programId: string; affiliateId: string };

/** The active resources that the affiliate may see. */
export function selectVisible({ db }: Pick<Context, 'db'>, { programId, affiliateId }: Owner) {
  const group = sql`(select group_id from affiliates where program_id = ${programId} and id = ${affiliateId})`;
  return db
    .selectFrom('resources')
    .where('programId', '=', programId)
    .where('status', '=', 'active')
    .where(sql<boolean>`(cardinality(group_ids) = 0 or ${group} = any(group_ids))`);
}

/** What replaces the placeholders of texts. Of several coupons that can be used now, the newest is named. */
export async function readPersonal(ctx: Pick<Context, 'db' | 'config' | 'clock'>, owner: Owner): Promise<Personal> {
  const { programId, affiliateId } = owner;
  const now = ctx.clock.now();
  const [{ url: link, referralCode: code }, { rows }] = await Promise.all([
    readLink(ctx, owner),
    sql<{ firstName: string; lastName: string; program: string; coupon: string | null }>`
      select affiliate.first_name, affiliate.last_name, program.name as program,
        (select coupon.code from coupons as coupon
          where coupon.program_id = ${programId} and coupon.affiliate_id = ${affiliateId} and coupon.status = 'active'
            and (coupon.starts_at is null or coupon.starts_at <= ${now}) and (coupon.ends_at is null or coupon.ends_at > ${now})
          order by coupon.created_at desc, coupon.id desc limit 1) as coupon
      from affiliates as affiliate join programs as program on program.id = affiliate.program_id
      where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(ctx.db),
  ]);
  const [facts] = rows;
  if (!facts) throw new Error('The affiliate is missing.');
  return { ...facts, link, code };
}

/** A text as the affiliate copies it. `isCouponMissing`: it needs a coupon, and the affiliate has none. */
export function toPersonalText(body: string | null, personal: Personal): { text: string | null; isCouponMissing: boolean } {
  const text = body === null ? null : fillText(body, personal);
  return { text, isCouponMissing: body !== null && text === null };
}
