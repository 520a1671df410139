// An affiliate is claimed by the user who verifies the email address that was invited (Contract §4.2), in every program.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { findProgramIds, readInPrograms, registerPerson } from '../../programs/person-programs.ts';
import type { User } from '../users/user.ts';

type OwnAffiliate = { programId: string; email: string; name: string; userId: string | null; createdAt: Date };

/** The affiliates with an address in all programs, unless they are archived, with their user. `lock` locks them. */
export async function listAffiliatesOf(ctx: Pick<Context, 'db'>, emailKey: string, { lock = false } = {}): Promise<OwnAffiliate[]> {
  const programIds = await findProgramIds(ctx, { kind: 'affiliate', person: emailKey });
  const found = await readInPrograms(ctx, programIds, (db, programId) => {
    const affiliates = db
      .selectFrom('affiliates')
      .leftJoin('affiliateAccounts as account', (join) =>
        join.on('account.programId', '=', programId).onRef('account.affiliateId', '=', 'affiliates.id'),
      )
      .select(['affiliates.programId', 'affiliates.email', 'affiliates.createdAt', 'account.userId'])
      .select(sql<string>`trim(first_name || ' ' || last_name)`.as('name'))
      .where('affiliates.programId', '=', programId)
      .where('emailKey', '=', emailKey)
      .where('status', '<>', 'archived');
    return (lock ? affiliates.forNoKeyUpdate('affiliates') : affiliates).executeTakeFirst();
  });
  return found.flatMap((affiliate) => affiliate ?? []);
}

/** The newest affiliate that signing in with an address claims: not archived, and not claimed by another user. */
export async function findClaimable(ctx: Pick<Context, 'db'>, emailKey: string, options?: { lock: boolean }): Promise<OwnAffiliate | null> {
  const affiliates = await listAffiliatesOf(ctx, emailKey, options);
  return findNewest(affiliates.filter(({ userId }) => userId === null));
}

/** The row that was created last. */
export function findNewest<Row extends { createdAt: Date }>(rows: readonly Row[]): Row | null {
  return rows.reduce<Row | null>((newest, row) => (newest && newest.createdAt >= row.createdAt ? newest : row), null);
}

/**
 * Links a user to every affiliate with their email address that has no user yet. Call it only after the user has proved
 * that the address is theirs. Of several users who claim one affiliate at a time, the primary key admits one.
 */
export async function claimAffiliates(tx: Tx, { id: userId, emailKey }: Pick<User, 'id' | 'emailKey'>): Promise<void> {
  for (const programId of await findProgramIds(tx, { kind: 'affiliate', person: emailKey })) {
    const { rows } = await sql<{ affiliateId: string }>`
      insert into affiliate_accounts (program_id, affiliate_id, user_id, claimed_at)
      select program_id, id, ${userId}::uuid, ${systemTime(tx)} from affiliates
      where program_id = ${programId} and email_key = ${emailKey} and status <> 'archived'
      on conflict do nothing
      returning affiliate_id`.execute(tx.db);
    const [claimed] = rows;
    if (!claimed) continue;
    await registerPerson(tx, { kind: 'account', person: userId }, programId);
    const { affiliateId } = claimed;
    const after = { userId };
    await recordChange(tx, { programId, actor: { kind: 'user', id: userId }, action: 'affiliate.claimed', subjectId: affiliateId, after });
  }
}
