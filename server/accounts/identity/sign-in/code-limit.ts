import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * Each email allows ten wrong codes. An attacker who requests email after email for one address is stopped by this limit
 * over all of them: a chance of 1 in 50,000 per day. It applies to each network from which the user signed in before, and
 * to all others together, so that an attacker elsewhere can't use up the codes of the user. Links always work.
 */
const maxWrongCodesPerDay = 20;

type Requested = { emailKey: string; network: string | null };

/** Whether too many wrong codes were entered for an address within a day. */
export async function areCodesBlocked({ db, clock }: Tx, { emailKey, network }: Requested): Promise<boolean> {
  const since = new Date(systemTime({ clock }).getTime() - dayMs);
  const { rows } = await sql<{ network: string | null; failures: number; isKnown: boolean }>`
    select verification.network, sum(failed_attempts)::int as failures,
      exists (
        select from sessions join users on users.id = sessions.user_id
        where users.email_key = ${emailKey} and sessions.ip_prefix = verification.network
      ) as is_known
    from email_verifications as verification
    where verification.email_key = ${emailKey} and verification.created_at > ${since}
    group by verification.network`.execute(db);
  const own = rows.find((row) => row.network === network && row.isKnown);
  const counted = own ? [own] : rows.filter(({ isKnown }) => !isKnown);
  return counted.reduce((sum, { failures }) => sum + failures, 0) >= maxWrongCodesPerDay;
}
