// The single sign-on of an organization: its OpenID Connect provider, and the domains whose users sign in there.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { SingleSignOnConnections, SingleSignOnDomains } from '../../../platform/db/schema.gen.ts';
import { timestampOut } from '../../../platform/http/declaration/fields.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { roles } from '../roles.ts';
import { toDomainRecord } from './domains/record.ts';
import { findManagedOrganization, type ManagedOrganization } from './organization.ts';

export const DefaultRole = z
  .enum(roles)
  .exclude(['owner'])
  .describe('The role in the organization that a user without a role in it gets at their first sign-in.');

export const DomainShape = z
  .object({
    domain: z.string().describe('The part of email addresses after the @, in punycode.'),
    recordName: z.string().describe('The name of the DNS record that proves that the domain belongs to the organization.'),
    recordValue: z.string().describe('The value of that TXT record.'),
    verifiedAt: timestampOut.nullable().describe('When the record was found; null until then.'),
    isRequired: z.boolean().describe('Whether members with an address of the domain, other than owners, can only sign in this way.'),
    createdAt: timestampOut,
  })
  .meta({
    id: 'SingleSignOnDomain',
    example: {
      domain: 'fernandfield.example',
      recordName: '_tributary.fernandfield.example',
      recordValue: 'organization=01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e60',
      verifiedAt: '2026-11-20T09:00:00.000Z',
      isRequired: false,
      createdAt: '2026-11-20T08:55:00.000Z',
    },
  });

export const SingleSignOnShape = z
  .object({
    organizationName: z.string().describe('The organization of the program.'),
    canChange: z.boolean().describe('Whether you own every program of the organization.'),
    redirectUrl: z.string().describe('The address to enter at the provider, to which it sends users back.'),
    issuer: z.string().nullable().describe('The address of the provider; null while single sign-on is off.'),
    clientId: z.string().nullable(),
    defaultRole: DefaultRole,
    domains: z.array(DomainShape).describe('By name.'),
    updatedAt: timestampOut.nullable().describe('When the provider was last changed; null while single sign-on is off.'),
  })
  .meta({
    id: 'SingleSignOn',
    example: {
      organizationName: 'Fern & Field',
      canChange: true,
      redirectUrl: 'https://affiliates.example/sign-in/sso/callback',
      issuer: 'https://login.fernandfield.example',
      clientId: 'tributary',
      defaultRole: 'viewer',
      domains: [DomainShape.meta()?.example],
      updatedAt: '2026-11-20T09:00:00.000Z',
    },
  });

export type Connection = Selectable<SingleSignOnConnections>;
type Domain = Selectable<SingleSignOnDomains>;

/** Where the provider sends users back to. */
export function toRedirectUrl({ config }: Pick<Context, 'config'>): string {
  return `${getPublicUrl(config)}/sign-in/sso/callback`;
}

/** The connection of an organization; null while single sign-on is off. */
export async function findConnection({ db }: Pick<Context, 'db'>, organizationId: string): Promise<Connection | null> {
  const connections = db.selectFrom('singleSignOnConnections').selectAll().where('organizationId', '=', organizationId);
  return (await connections.executeTakeFirst()) ?? null;
}

/** The single sign-on of the organization of the caller's program. */
export async function readSingleSignOn(
  ctx: Pick<Context, 'db' | 'config'>,
  actor: Parameters<typeof findManagedOrganization>[1],
): Promise<z.input<typeof SingleSignOnShape>> {
  const organization = await findManagedOrganization(ctx, actor);
  const domains = ctx.db.selectFrom('singleSignOnDomains').selectAll().where('organizationId', '=', organization.id);
  const connection = await findConnection(ctx, organization.id);
  return toSingleSignOn(ctx, { organization, connection, domains: await domains.orderBy('domain').execute() });
}

type Rows = { organization: ManagedOrganization; connection: Connection | null; domains: Domain[] };

function toSingleSignOn(ctx: Pick<Context, 'config'>, { organization, connection, domains }: Rows): z.input<typeof SingleSignOnShape> {
  return {
    organizationName: organization.name,
    canChange: organization.canChange,
    redirectUrl: toRedirectUrl(ctx),
    issuer: connection?.issuer ?? null,
    clientId: connection?.clientId ?? null,
    defaultRole: DefaultRole.catch('viewer').parse(connection?.defaultRole),
    domains: domains.map(({ domain, verifiedAt, isRequired, createdAt }) => ({
      domain,
      ...toDomainRecord(organization.id, domain),
      verifiedAt: verifiedAt?.toISOString() ?? null,
      isRequired,
      createdAt: createdAt.toISOString(),
    })),
    updatedAt: connection?.updatedAt.toISOString() ?? null,
  };
}
