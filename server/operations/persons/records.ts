// Data about a person that the file for affiliates does not contain: notes of members, purchases, and sign-ins. Secrets and
// hashes are left out.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Found } from './found.ts';
import type { Person } from './person.ts';

type Query = RawBuilder<unknown>;

/** The records of a program by their name in the file. Those of members can concern others. */
export function listRecords({ programId, affiliateIds, emailKeys, customers }: Found, person: Person): Record<string, Query> {
  const own = sql`program_id = ${programId} and affiliate_id = any(${affiliateIds}::uuid[])`;
  const ofAddress = sql`program_id = ${programId} and email_key = any(${emailKeys})`;
  const ofUser = sql`program_id = ${programId} and user_id = ${person.userId}::uuid`;
  const keys = customers.map(({ key }) => key);
  return {
    applications: sql`select id, email, first_name, last_name, answers, locale, outcome, confirmed_at, created_at from applications
      where ${ofAddress} or ${own}`,
    memberInvitations: sql`select email, name, role, accepted_at, revoked_at, created_at from member_invitations where ${ofAddress}`,
    roles: sql`select role, role_since from program_members where ${ofUser}`,
    notifications: sql`select kind, delivery, updated_at from notification_choices where ${ofUser}`,
    savedViews: sql`select screen, name, is_shared, state, created_at from saved_views where ${ofUser}`,
    emails: sql`select kind, to_address, subject, status, sent_at, created_at from emails
      where program_id = ${programId} and lower(to_address) = any(${person.addresses})`,
    purchases: sql`select order_id, amount_cents, refunded_cents, currency, occurred_at from conversions
      where program_id = ${programId} and customer_keys && ${keys}::text[]
      union all select order_id, amount_cents, null, currency, occurred_at from unattributed_orders
      where program_id = ${programId} and customer_keys && ${keys}::text[] and conversion_id is null`,
    notesOfMembers: sql`select note, created_at, updated_at from affiliate_notes where ${own}`,
    fraudAlerts: sql`select kind, status, evidence, resolution_note, created_at from fraud_events where ${own}`,
    customFields: sql`select external_id, metadata, tags, status_note from affiliates
      where program_id = ${programId} and id = any(${affiliateIds}::uuid[])`,
  };
}

/** The rows of these queries, in the names of the API, without those that have none. */
export async function readRecords({ db }: Context, queries: Record<string, Query>): Promise<Record<string, unknown[]>> {
  const read: Record<string, unknown[]> = {};
  for (const [name, query] of Object.entries(queries)) {
    const { rows } = await query.execute(db);
    if (rows.length > 0) read[name] = rows;
  }
  return read;
}

/** The account of the person: how they sign in, from where, and their roles. */
export async function readAccount(ctx: Context, { userId, emailKey }: Person): Promise<Record<string, unknown[]>> {
  const ofUser = sql`user_id = ${userId}::uuid`;
  return readRecords(ctx, {
    user: sql`select id, email, name, locale, status, last_sign_in_at, created_at from users where id = ${userId}::uuid`,
    sessions: sql`select method, user_agent, ip_prefix, second_factor, last_seen_at, expires_at, created_at from sessions where ${ofUser}`,
    passkeys: sql`select name, last_used_at, created_at from passkeys where ${ofUser}`,
    singleSignOn: sql`select issuer, subject, last_used_at, created_at from single_sign_on_identities where ${ofUser}`,
    organizations: sql`select organization.name, member.role, member.role_since from organization_members as member
      join organizations as organization on organization.id = member.organization_id where ${ofUser}`,
    preferences: sql`select screen, preferences, updated_at from user_preferences where ${ofUser}`,
    signInEmails: sql`select purpose, email, network, expires_at, used_at, created_at from email_verifications where email_key = ${emailKey}`,
  });
}
