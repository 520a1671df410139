// The untrusted proxies that the processes of an installation have seen, and what to do about them.
import type { Context } from '../../../context.ts';
import { createRangeCheck } from '../../lib/network/ip-address.ts';

type Ctx = Pick<Context, 'db' | 'clock' | 'config'>;

const dayMs = 86_400_000;
/** A proxy that sent nothing for this long was removed or is trusted now. */
const recentMs = dayMs;
const keptMs = 30 * dayMs;
const maxListed = 20;

/** Records that this address forwarded requests. */
export async function recordUntrustedProxy({ db, clock }: Ctx, address: string): Promise<void> {
  const now = clock.now();
  await db
    .insertInto('untrustedProxies')
    .values({ address, firstSeenAt: now, lastSeenAt: now })
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ lastSeenAt: now }))
    .execute();
  await db
    .deleteFrom('untrustedProxies')
    .where('lastSeenAt', '<', new Date(now.getTime() - keptMs))
    .execute();
}

/** The proxies of the last day that the settings of this process don't trust. */
export async function listUntrustedProxies({ db, clock, config }: Ctx): Promise<string[]> {
  const since = new Date(clock.now().getTime() - recentMs);
  const seen = db.selectFrom('untrustedProxies').select('address').where('lastSeenAt', '>', since);
  const rows = await seen.orderBy('firstSeenAt').orderBy('address').limit(maxListed).execute();
  const isTrusted = createRangeCheck(config.trustedProxies);
  return rows.map(({ address }) => address).filter((address) => !isTrusted(address));
}

/** What was found, and the setting that corrects it. */
export function explainUntrustedProxies(
  addresses: readonly string[],
  { trustedProxies }: Pick<Context['config'], 'trustedProxies'>,
): string {
  const setting = [...trustedProxies, ...addresses].join(',');
  return (
    `Forwarded requests arrive from ${addresses.join(', ')}, which TRUSTED_PROXIES does not contain, so all visitors appear to have one ` +
    `address and clicks are rejected. If this is your proxy, set TRUSTED_PROXIES=${setting} (or its network) and restart.`
  );
}
