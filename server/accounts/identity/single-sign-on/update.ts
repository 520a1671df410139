// Sets the provider. It is called before anything is stored, so that a wrong address is noticed now and not at a sign-in.
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { line } from '../../../platform/http/declaration/fields.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { Invalid, InvalidState } from '../../../platform/lib/errors.ts';
import { type Connection, DefaultRole, findConnection, readSingleSignOn, SingleSignOnShape } from './connection.ts';
import { clientSecretOwner } from './encrypted-client-secret.ts';
import { getManagedOrganization, organizationOwnerRequired, recordInOrganization } from './organization.ts';
import { discoverProvider, ProviderFailure } from './provider.ts';

const issuerUnavailable = {
  status: 400,
  code: 'issuer_unavailable',
  when: 'The issuer did not answer as an OpenID Connect provider does.',
} as const;

const Update = z
  .object({
    issuer: z
      .string()
      .trim()
      .max(500)
      .refine(isIssuer, { error: 'must be the https address of the issuer, without /.well-known/openid-configuration' })
      .describe('The address of the provider, below which its configuration is at `/.well-known/openid-configuration`.'),
    clientId: line(500).describe('As the provider issued it.'),
    clientSecret: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe('Stored encrypted and never returned. Must be sent again with another `issuer` or `clientId`.'),
    defaultRole: DefaultRole,
  })
  .partial()
  .meta({
    id: 'SingleSignOnUpdate',
    example: {
      issuer: 'https://login.fernandfield.example',
      clientId: 'tributary',
      clientSecret: 'x7Jp2vQd',
      defaultRole: 'viewer',
    },
  });

export const updateSingleSignOn = endpoint({
  id: 'singleSignOn.update',
  route: 'PATCH /app/programs/:programId/single-sign-on',
  scope: 'write',
  requires: 'owners.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Single sign-on',
  summary: "Set up the organization's single sign-on",
  description:
    'Omitted fields keep their value. Register `redirectUrl` at the provider first. Users sign in through it once a domain is verified.',
  body: Update,
  statuses: [200],
  result: SingleSignOnShape,
  errors: [organizationOwnerRequired, issuerUnavailable],
  async outside(ctx, { actor, body }) {
    const { id } = await getManagedOrganization(ctx, actor);
    const next = toNext(await findConnection(ctx, id), body);
    if (body.issuer !== undefined) await checkIssuer(ctx, next);
    return transact(ctx, async (tx) => {
      const organization = await getManagedOrganization(tx, actor);
      const present = await lockConnection(tx, organization.id);
      const changed = toNext(present, body);
      await write(tx, { organizationId: organization.id, present, ...changed });
      const { clientSecret: _, ...fields } = changed;
      const change = difference({ issuer: null, clientId: null, defaultRole: null, ...present }, fields);
      const secret = changed.clientSecret === null ? {} : { clientSecret: 'changed' };
      if (change || changed.clientSecret !== null)
        await recordInOrganization(tx, organization, {
          actor,
          action: 'single_sign_on.updated',
          before: change?.before ?? {},
          after: { ...change?.after, ...secret },
        });
      return readSingleSignOn(tx, actor);
    });
  },
});

/** The address of an issuer, as OpenID Connect Discovery defines it. Whether it may be called is checked by the client. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return /^https?:$/.test(url?.protocol ?? '') && url?.search === '' && url.hash === '' && !url.pathname.includes('/.well-known/');
}

/** A null secret is kept as it is stored. */
type Next = { issuer: string; clientId: string; clientSecret: string | null; defaultRole: z.output<typeof DefaultRole> };

/** What is stored with these changes. Throws Invalid if something is missing. */
function toNext(present: Connection | null, body: z.output<typeof Update>): Next {
  const { issuer = present?.issuer, clientId = present?.clientId, clientSecret = null } = body;
  // The stored secret must not be sent to another server than the one that it was entered for.
  const needsSecret = issuer !== present?.issuer || clientId !== present?.clientId;
  const missing = [
    ...(issuer === undefined ? ['issuer'] : []),
    ...(clientId === undefined ? ['clientId'] : []),
    ...(needsSecret && clientSecret === null ? ['clientSecret'] : []),
  ];
  if (issuer === undefined || clientId === undefined || missing.length > 0)
    throw new Invalid(missing.map((field) => ({ path: [field], message: 'is required' })));
  return { issuer, clientId, clientSecret, defaultRole: body.defaultRole ?? DefaultRole.catch('viewer').parse(present?.defaultRole) };
}

async function checkIssuer(ctx: Context, { issuer, clientId, clientSecret }: Next): Promise<void> {
  const fault = await ctx.checkUrl(issuer);
  if (fault !== null) throw new Invalid([{ path: ['issuer'], message: fault }]);
  try {
    await discoverProvider(ctx, { issuer, clientId, clientSecret: clientSecret ?? '' });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new InvalidState(
      issuerUnavailable.code,
      'The issuer could not be read. Check its address: its configuration must be below /.well-known/openid-configuration.',
    );
  }
}

async function lockConnection({ db }: Tx, organizationId: string): Promise<Connection | null> {
  const connections = db.selectFrom('singleSignOnConnections').selectAll().where('organizationId', '=', organizationId);
  return (await connections.forUpdate().executeTakeFirst()) ?? null;
}

type Written = Next & { organizationId: string; present: Connection | null };

async function write(tx: Tx, { organizationId, present, clientSecret, ...fields }: Written): Promise<void> {
  const now = systemTime(tx);
  const encrypted = clientSecret === null ? present?.clientSecret : tx.vault.encrypt(clientSecret, clientSecretOwner(organizationId));
  if (!encrypted) throw new Error('A connection without a client secret.');
  const row = { ...fields, clientSecret: encrypted, updatedAt: now };
  await tx.db
    .insertInto('singleSignOnConnections')
    .values({ ...row, organizationId, createdAt: now })
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(row))
    .execute();
}
