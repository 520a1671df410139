// Whether affiliates share a browser with each other, or with a buyer. A browser is known by the cookie that it gets when a
// link is followed: clicks store its visitor, and so does the session of a user who is signed in with the same browser. No
// other property of a device is compared, so two different browsers are never taken for the same one.
import type { Context } from '../../context.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';

/** By visitor: the affiliates who were signed in with this browser, with the last time. */
export type Browsers = ReadonlyMap<string, ReadonlyMap<string, Date>>;

type Wanted = { visitorIds: readonly string[]; affiliateIds: readonly string[] };

/** The browsers of these visitors and of these affiliates. Sessions are kept for 30 days after they expire. */
export async function findBrowsers({ db }: Pick<Context, 'db'>, programId: string, wanted: Wanted): Promise<Browsers> {
  const { rows } = await plainSql<{ visitorId: string; affiliateId: string; seenAt: Date }>`
    with own as (
      select session.visitor_id from affiliate_accounts as account join sessions as session on session.user_id = account.user_id
      where account.program_id = ${programId} and account.affiliate_id = any(${wanted.affiliateIds}::uuid[])
        and session.visitor_id is not null and not session.is_from_command
    )
    select session.visitor_id, account.affiliate_id, max(session.last_seen_at) as seen_at
    from sessions as session join affiliate_accounts as account on account.program_id = ${programId} and account.user_id = session.user_id
    where session.visitor_id = any(${wanted.visitorIds}::text[] || array(select visitor_id from own)) and not session.is_from_command
    group by session.visitor_id, account.affiliate_id`.execute(db);
  const byVisitor = Map.groupBy(rows, ({ visitorId }) => visitorId);
  return new Map([...byVisitor].map(([id, found]) => [id, new Map(found.map(({ affiliateId, seenAt }) => [affiliateId, seenAt]))]));
}

/** `otherAffiliateId`: who shares a browser with the affiliate; null if it is the buyer. `seenAt`: when they last used it. */
export type SharedDevice = { sharedWith: 'buyer' | 'affiliate'; otherAffiliateId: string | null; seenAt: string };

/** What a credited affiliate shares: the browser of the buyer, else one with another affiliate. Null if neither is known. Pure. */
export function findSharedDevice(browsers: Browsers, affiliateId: string, visitorId: string | null): SharedDevice | null {
  const seenAt = visitorId === null ? undefined : browsers.get(visitorId)?.get(affiliateId);
  if (seenAt) return { sharedWith: 'buyer', otherAffiliateId: null, seenAt: seenAt.toISOString() };
  const own = [...browsers.values()].filter((affiliates) => affiliates.has(affiliateId));
  const others = own.flatMap((affiliates) => [...affiliates].filter(([id]) => id !== affiliateId));
  const [latest] = others.toSorted(([, a], [, b]) => b.getTime() - a.getTime());
  return latest ? { sharedWith: 'affiliate', otherAffiliateId: latest[0], seenAt: latest[1].toISOString() } : null;
}
