// The signed-in user, with the programs and organizations they are a member of, and the programs they are an affiliate of.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { readFreeze } from '../../../platform/freeze/freeze.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { permissions } from '../../../platform/http/declaration/permissions.ts';
import { nameField } from '../../../platform/http/declaration/person-fields.ts';
import type { UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { toMediaPath } from '../../../platform/lib/network/media-path.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { listAffiliateAccounts } from '../affiliate-accounts/find-affiliate.ts';
import { listAffiliateViews, mayView } from '../affiliate-views/affiliate-view.ts';
import { listMemberships } from '../members/list-programs.ts';
import { listCreatingOrganizations } from '../program-creation/organizations.ts';
import { listProgramDeletions } from '../program-deletions/list.ts';
import { isRole, permissionsOf, roles } from '../roles.ts';

const Locale = z.enum(['en', 'de']);
const AccountStatus = z.enum(['pending', 'active', 'suspended', 'rejected', 'archived']);

const AccountView = z
  .object({ affiliateName: z.string(), expiresAt: timestampOut })
  .meta({ id: 'AffiliateAccountView', example: { affiliateName: 'Ada Lindqvist', expiresAt: '2026-11-24T09:30:00.000Z' } });

const Me = z
  .object({
    user: z.object({
      id: uuidOut,
      email: z.string(),
      name: z.string().describe('The name of the user.'),
      locale: Locale,
      createdAt: timestampOut,
    }),
    session: z.object({
      id: uuidOut,
      freshAt: timestampOut.describe('When the user last proved their identity.'),
      isOnSite: z.boolean().describe('Whether it was started on the custom domain of a program, and admits to its portal only.'),
    }),
    frozenAt: timestampOut.nullable().describe('Since when payouts, emails and webhooks of the service are frozen; null if they are not.'),
    programs: z.array(
      z.object({
        id: uuidOut,
        name: z.string(),
        slug: z.string().describe('The part of URLs that names the program.'),
        logoUrl: z.string().nullable().describe('The source of the logo: a path of this service, or an https URL.'),
        mode: z.enum(['live', 'test']),
        currency: currencyOut,
        timezone: z.string(),
        organizationId: uuidOut,
        role: z.enum(roles),
        permissions: z.array(z.enum(permissions)),
      }),
    ),
    programDeletions: z
      .array(
        z.object({
          id: uuidOut.describe('The program.'),
          name: z.string(),
          mode: z.enum(['live', 'test']),
          canCancel: z.boolean().describe('Whether the user owns the program.'),
          requestedAt: timestampOut,
          deleteAfter: timestampOut,
        }),
      )
      .describe('Programs of the user that are inaccessible, because they will be deleted.'),
    organizations: z.array(z.object({ id: uuidOut, name: z.string(), role: z.enum(roles) })),
    programOrganizations: z
      .array(z.object({ id: uuidOut, name: z.string() }))
      .describe('The organizations in which the user can create programs.'),
    affiliateAccounts: z
      .array(
        z.object({
          programId: uuidOut,
          programName: z.string(),
          programSlug: z.string(),
          programLogoUrl: z.string().nullable().describe('The source of the logo: a path of this service, or an https URL.'),
          currency: currencyOut,
          timezone: z.string(),
          affiliateId: uuidOut,
          status: AccountStatus,
          view: AccountView.nullable().describe('Set while a member views the portal as this affiliate, which changes nothing.'),
        }),
      )
      .describe('The programs that the user is an affiliate of, or views as one. `/app/portal/{programId}` serves them.'),
  })
  .meta({
    id: 'AppMe',
    example: {
      user: {
        id: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f',
        email: 'dana@fernandfield.example',
        name: 'Dana Calder',
        locale: 'en',
        createdAt: '2026-03-02T09:12:44.000Z',
      },
      session: { id: '01980d10-11aa-7b1c-9d2e-3f4a5b6c7d8e', freshAt: '2026-11-21T08:00:00.000Z', isOnSite: false },
      frozenAt: null,
      programs: [
        {
          id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
          name: 'Fern & Field',
          slug: 'fern-field',
          logoUrl: '/media/01980a60-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
          mode: 'live',
          currency: 'USD',
          timezone: 'America/New_York',
          organizationId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e60',
          role: 'reviewer',
          permissions: ['read', 'affiliates.write', 'pages.review', 'claims.decide', 'fraud.decide'],
        },
      ],
      programDeletions: [],
      organizations: [],
      programOrganizations: [],
      affiliateAccounts: [],
    },
  });

export const getAppMe = endpoint({
  id: 'appMe.get',
  route: 'GET /app/me',
  scope: 'user',
  onSites: true,
  tag: 'User',
  summary: 'Get the signed-in user',
  description: 'With the programs that the user is a member of, and what their role permits in each.',
  statuses: [200],
  result: Me,
  handle: (ctx, { actor }) => readMe(ctx, actor),
});

export const updateAppMe = endpoint({
  id: 'appMe.update',
  route: 'PATCH /app/me',
  scope: 'user',
  onSites: true,
  tag: 'User',
  summary: 'Update the signed-in user',
  description: 'Omitted fields keep their value.',
  body: z.object({ name: nameField.optional(), locale: Locale.optional() }).meta({ id: 'AppMeUpdate', example: { locale: 'de' } }),
  statuses: [200],
  result: Me,
  handle: (ctx, { actor, body }) =>
    transact(ctx, async (tx) => {
      const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      if (Object.keys(changes).length > 0) await tx.db.updateTable('users').set(changes).where('id', '=', actor.id).execute();
      return readMe(tx, actor);
    }),
});

async function readMe(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  { id, sessionId, freshAt, siteProgramId }: UserPrincipal,
): Promise<z.input<typeof Me>> {
  const user = await ctx.db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'locale', 'createdAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const organizations = await ctx.db
    .selectFrom('organizationMembers')
    .innerJoin('organizations', 'organizations.id', 'organizationId')
    .select(['organizations.id', 'organizations.name', 'role'])
    .where('userId', '=', id)
    .orderBy('organizations.name')
    .execute();
  const memberships = await listMemberships(ctx, id);
  const me = {
    user: { ...user, locale: Locale.parse(user.locale), createdAt: user.createdAt.toISOString() },
    session: { id: sessionId, freshAt: freshAt.toISOString(), isOnSite: siteProgramId !== null },
    frozenAt: (await readFreeze(ctx))?.frozenAt.toISOString() ?? null,
    programs: memberships.map(({ held, mode, logoUrl, ...program }) => ({
      ...program,
      logoUrl: toSource(ctx, logoUrl),
      mode: mode === 'test' ? ('test' as const) : ('live' as const),
      permissions: [...permissionsOf(held)],
    })),
    programDeletions: await listProgramDeletions(ctx, id),
    affiliateAccounts: await readAffiliateAccounts(ctx, { userId: id, sessionId, memberships }),
    programOrganizations: await listCreatingOrganizations(ctx, id),
    organizations: organizations.flatMap(({ role, ...organization }) => (isRole(role) ? [{ ...organization, role }] : [])),
  };
  return siteProgramId === null ? me : limitToSite(me, siteProgramId);
}

/** On a program's custom domain, a user is only an affiliate of this program. */
function limitToSite(me: z.input<typeof Me>, siteProgramId: string): z.input<typeof Me> {
  const affiliateAccounts = me.affiliateAccounts.filter(({ programId, view }) => programId === siteProgramId && view === null);
  return { ...me, affiliateAccounts, programs: [], programDeletions: [], programOrganizations: [], organizations: [] };
}

/** A media file of this service is named by its path, so that it also loads from another address of the service. */
function toSource({ config }: Pick<Context, 'config'>, url: string | null): string | null {
  return url === null ? null : (toMediaPath(url, getPublicUrl(config)) ?? url);
}

type Reader = { userId: string; sessionId: string; memberships: Awaited<ReturnType<typeof listMemberships>> };

/** A view takes the place of the user's own account in the same program. */
async function readAffiliateAccounts(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  { userId, sessionId, memberships }: Reader,
): Promise<z.input<typeof Me>['affiliateAccounts']> {
  const viewable = memberships.filter(({ held }) => mayView(permissionsOf(held)));
  const views = await listAffiliateViews(
    ctx,
    sessionId,
    viewable.map(({ id }) => id),
  );
  const viewed = viewable.flatMap(({ id: programId, held: _, ...program }) => {
    const view = views.find((each) => each.programId === programId);
    if (!view) return [];
    const { affiliateId, status, expiresAt, firstName, lastName } = view;
    const affiliateName = `${firstName} ${lastName}`.trim();
    return [{ ...program, programId, affiliateId, status, view: { affiliateName, expiresAt: expiresAt.toISOString() } }];
  });
  const own = (await listAffiliateAccounts(ctx, userId)).filter((account) =>
    viewed.every(({ programId }) => programId !== account.programId),
  );
  const accounts = [...viewed, ...own.map((account) => ({ ...account, view: null }))];
  return accounts.map(({ programId, affiliateId, currency, timezone, name, slug, logoUrl, status, view }) => ({
    programId,
    programName: name,
    programSlug: slug,
    programLogoUrl: toSource(ctx, logoUrl),
    currency,
    timezone,
    affiliateId,
    status: AccountStatus.parse(status),
    view,
  }));
}
