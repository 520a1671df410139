// Pending affiliates who await a decision: those who applied, were added, or accepted an invitation. An invitation that has
// not been accepted awaits the person who was invited.
import { type RawBuilder, sql } from 'kysely';

/** Whether a row of affiliates (`affiliate`) is a pending one that has not accepted its invitation. */
export function isOpenInvitation(programId: string): RawBuilder<boolean> {
  return sql`(affiliate.status = 'pending' and affiliate.invited_at is not null and not exists (
    select from affiliate_accounts as account where account.program_id = ${programId} and account.affiliate_id = affiliate.id))`;
}

/** How many affiliates of a program await a decision. The number of pending affiliates is maintained; invitations are few. */
export function countAwaitingAffiliates(programId: string): RawBuilder<number> {
  return sql`(
    coalesce((select affiliates from affiliate_counts where program_id = ${programId} and status = 'pending'), 0) - (
      select count(*) from affiliates as affiliate where affiliate.program_id = ${programId} and ${isOpenInvitation(programId)}))::bigint`;
}
