// Using the token of an embed, which works once.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { type DeclaredError, endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { toMediaPath } from '../../../platform/lib/network/media-path.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { type EmbedKind, EmbedLocale, sessionMs } from './embed.ts';
import { generateSecret, parseSecret } from './embed-token.ts';
import { type Embed, findEmbedWhere } from './find-embed.ts';
import { LookShape, toLook } from './look.ts';

export const openingErrors: readonly DeclaredError[] = [
  { status: 400, code: 'embed_token_used', when: 'The token has been used.' },
  { status: 400, code: 'embed_token_expired', when: 'The token has expired.' },
  { status: 400, code: 'embed_token_invalid', when: 'The token is unknown, or what it opens has been ended.' },
];

/** Uses the token of an embed of this kind. Of simultaneous uses, one succeeds. Throws InvalidState. */
export async function openEmbed(tx: Tx, { token, kind }: { token: string; kind: EmbedKind }): Promise<Embed> {
  const parsed = parseSecret('token', token);
  const condition = sql`embed.token_hash = ${parsed?.secretHash ?? null} and embed.kind = ${kind}`;
  const embed = parsed && (await findEmbedWhere(tx, { programId: parsed.programId, condition, lock: true }));
  if (!embed) throw new InvalidState('embed_token_invalid', 'This token is not valid. Create a new one.');
  if (embed.openedAt !== null) throw new InvalidState('embed_token_used', 'This token has been used. Create a new one for each page view.');
  const now = systemTime(tx);
  if (embed.expiresAt <= now) throw new InvalidState('embed_token_expired', 'This token has expired. Create a new one.');
  const { programId, id } = embed;
  await tx.db.updateTable('embeds').set({ openedAt: now }).where('programId', '=', programId).where('id', '=', id).execute();
  return embed;
}

const Session = z
  .object({
    session: z.string().describe('Sent as `Authorization: Bearer`. Only in the memory of the frame.'),
    expiresAt: timestampOut,
    origin: z.string().describe('The origin of the page around the frame.'),
    locale: EmbedLocale.nullable(),
    look: LookShape.describe('How it looks.'),
    account: z
      .object({
        programId: uuidOut,
        programName: z.string(),
        programSlug: z.string(),
        programLogoUrl: z.string().nullable().describe('The source of the logo: a path of this service, or an https URL.'),
        currency: currencyOut,
        timezone: z.string(),
        affiliateId: uuidOut,
        affiliateName: z.string(),
      })
      .describe('The affiliate and the program.'),
  })
  .meta({
    id: 'EmbedSession',
    example: {
      session: 'trb_embedded_AZgKTnuOfD6fYSt_HD1OXwq3sJ0c1lX5n8Vb2hY7tKd9mQfRzPwLxE4uGa6NoiMjT',
      expiresAt: '2026-11-24T10:01:00.000Z',
      origin: 'https://app.fernandfield.example',
      locale: null,
      look: toLook({ accent: '#0B5F59', radius: 8 }),
      account: {
        programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
        programName: 'Fern & Field',
        programSlug: 'fern-field',
        programLogoUrl: null,
        currency: 'USD',
        timezone: 'America/New_York',
        affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
        affiliateName: 'Ada Lindqvist',
      },
    },
  });

export const openEmbeddedPortal = endpoint({
  id: 'embedSessions.create',
  route: 'POST /app/embed-sessions',
  scope: 'open',
  tag: 'Portal',
  summary: 'Open an embedded portal',
  description: 'Exchanges a token for a session, once. The session reads what the portal shows, for an hour.',
  body: z
    .object({ token: z.string().max(200, 'must not be longer than 200 characters').describe('The token that the frame was opened with.') })
    .meta({ id: 'NewEmbedSession', example: { token: 'trb_embed_AZgKTnuOfD6fYSt_HD1OXwq3sJ0c1lX5n8Vb2hY7tKd9mQfRzPwLxE4uGa6NoiMjT' } }),
  statuses: [201],
  result: Session,
  errors: openingErrors,
  handle: (ctx, { body: { token } }) =>
    transact(ctx, async (tx) => {
      const embed = await openEmbed(tx, { token, kind: 'portal' });
      const { secret, expiresAt } = await startEmbedSession(tx, embed);
      const { origin, locale, theme } = embed;
      return {
        session: secret,
        expiresAt: expiresAt.toISOString(),
        origin,
        locale,
        look: toLook(theme),
        account: await readAccount(tx, embed),
      };
    }),
});

async function startEmbedSession(tx: Tx, { programId, id }: Embed): Promise<{ secret: string; expiresAt: Date }> {
  const { secret, secretHash } = generateSecret('session', programId);
  const expiresAt = new Date(systemTime(tx).getTime() + sessionMs);
  const embeds = tx.db.updateTable('embeds').set({ sessionHash: secretHash, sessionExpiresAt: expiresAt });
  await embeds.where('programId', '=', programId).where('id', '=', id).execute();
  return { secret, expiresAt };
}

type Account = z.input<typeof Session>['account'];

async function readAccount(tx: Tx, { programId, affiliateId }: Embed): Promise<Account> {
  const { rows } = await sql<Account>`
    select program.id as program_id, program.name as program_name, program.slug as program_slug, brand.logo_url as program_logo_url,
      program.currency, program.timezone, affiliate.id as affiliate_id, trim(affiliate.first_name || ' ' || affiliate.last_name) as affiliate_name
    from affiliates as affiliate join programs as program on program.id = ${programId}
    left join program_brands as brand on brand.program_id = ${programId}
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(tx.db);
  const [account] = rows;
  if (!account) throw new Error('The affiliate is missing.');
  const { programLogoUrl } = account;
  const source = programLogoUrl === null ? null : (toMediaPath(programLogoUrl, getPublicUrl(tx.config)) ?? programLogoUrl);
  return { ...account, programLogoUrl: source };
}
