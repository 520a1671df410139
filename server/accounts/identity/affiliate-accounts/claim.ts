// An affiliate is claimed by the user who verifies the email address that was invited (Contract §4.2), in every program.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { User } from '../users/user.ts';

/** The newest affiliate that signing in with an address claims: not archived, and not claimed by another user. */
export function selectClaimable({ db }: Pick<Context, 'db'>, emailKey: string) {
  return db
    .selectFrom('affiliates')
    .leftJoin('affiliateAccounts as account', (join) =>
      join.onRef('account.programId', '=', 'affiliates.programId').onRef('account.affiliateId', '=', 'affiliates.id'),
    )
    .select(['affiliates.email', sql<string>`trim(first_name || ' ' || last_name)`.as('name')])
    .where('emailKey', '=', emailKey)
    .where('status', '<>', 'archived')
    .where('account.userId', 'is', null)
    .orderBy('affiliates.createdAt', 'desc')
    .limit(1);
}

/**
 * Links a user to every affiliate with their email address that has no user yet. Call it only after the user has proved
 * that the address is theirs. Of several users who claim one affiliate at a time, the primary key admits one.
 */
export async function claimAffiliates(tx: Tx, { id: userId, emailKey }: Pick<User, 'id' | 'emailKey'>): Promise<void> {
  const { rows } = await sql<{ programId: string; affiliateId: string }>`
    insert into affiliate_accounts (program_id, affiliate_id, user_id, claimed_at)
    select program_id, id, ${userId}::uuid, ${tx.clock.now()} from affiliates
    where email_key = ${emailKey} and status <> 'archived' order by program_id
    on conflict do nothing
    returning program_id, affiliate_id`.execute(tx.db);
  for (const { programId, affiliateId } of rows) {
    const after = { userId };
    await recordChange(tx, { programId, actor: { kind: 'user', id: userId }, action: 'affiliate.claimed', subjectId: affiliateId, after });
  }
}
