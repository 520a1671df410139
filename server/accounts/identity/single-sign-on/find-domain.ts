// Finds the single sign-on of an email address, and whether it is the only way to sign in.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { listInvitationsOf } from '../invitations/invitation.ts';
import { listMemberships } from '../members/list-programs.ts';
import { domainOf } from './domains/domain.ts';

type SignInDomain = { organizationId: string; isRequired: boolean };

/** The organization that verified the domain of an address and has a provider; null without one. */
export async function findSignInDomain({ db }: Pick<Context, 'db'>, emailKey: string): Promise<SignInDomain | null> {
  const found = await db
    .selectFrom('singleSignOnDomains as domain')
    .innerJoin('singleSignOnConnections as connection', 'connection.organizationId', 'domain.organizationId')
    .select(['domain.organizationId', 'domain.isRequired'])
    .where('domain.domain', '=', domainOf(emailKey))
    .where('domain.verifiedAt', 'is not', null)
    .executeTakeFirst();
  return found ?? null;
}

/** Whether any organization uses single sign-on: only then the sign-in page offers it. */
export async function hasSingleSignOn({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from single_sign_on_domains as domain
      join single_sign_on_connections as connection on connection.organization_id = domain.organization_id
      where domain.verified_at is not null) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/**
 * Whether a person can only sign in through the provider: a member of an organization that requires it for their domain, or
 * a person who was invited to one of its programs. Owners keep their other ways, so that a provider that fails locks no
 * organization out.
 */
export async function mustUseSingleSignOn(
  ctx: Pick<Context, 'db'>,
  { userId, emailKey }: { userId: string | null; emailKey: string },
): Promise<boolean> {
  const domain = await findSignInDomain(ctx, emailKey);
  if (!domain?.isRequired) return false;
  const roles = userId === null ? [] : await listRoles(ctx, domain.organizationId, userId);
  if (roles.length > 0) return !roles.includes('owner');
  const invited = (await listInvitationsOf(ctx, emailKey)).map(({ programId }) => programId);
  const programs = ctx.db.selectFrom('programs').select('id').where('organizationId', '=', domain.organizationId);
  const ids = new Set((await programs.execute()).map(({ id }) => id));
  return invited.some((programId) => ids.has(programId));
}

/** The roles of a user in an organization and its programs. */
export async function listRoles(ctx: Pick<Context, 'db'>, organizationId: string, userId: string): Promise<string[]> {
  const memberships = await listMemberships(ctx, userId);
  const whole = ctx.db.selectFrom('organizationMembers').select('role').where('organizationId', '=', organizationId);
  const { role } = (await whole.where('userId', '=', userId).executeTakeFirst()) ?? {};
  const held = memberships.filter((membership) => membership.organizationId === organizationId).flatMap((membership) => membership.held);
  return [...held, ...(role === undefined ? [] : [role])];
}
