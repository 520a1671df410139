// Creating the token of an embed. The brand's server does it for each page view, for the user who is signed in there.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { Invalid, InvalidState } from '../../../platform/lib/errors.ts';
import { parsePageOrigin } from '../../../platform/lib/network/page-origin.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { EmbedKind, EmbedLocale, EmbedTheme, tokenMs } from './embed.ts';
import { generateSecret } from './embed-token.ts';

const origin = z
  .string()
  .refine((text) => parsePageOrigin(text) !== null, {
    error: 'must be an origin such as https://app.example, without a path; http only for localhost',
  })
  .transform((text) => parsePageOrigin(text) ?? text)
  .meta({ json: { type: 'string', maxLength: 253 } });

const Body = z
  .object({
    kind: EmbedKind.describe('`portal` opens in a frame; `widget` is the referral widget, “your link, your earnings”.'),
    origin: origin.describe('The origin of the page that it opens in, one of the `embedOrigins` of the program.'),
    locale: EmbedLocale.nullable().default(null).describe('The language; null for the one of the browser.'),
    theme: EmbedTheme.default({}).describe('How it looks.'),
  })
  .meta({ id: 'NewEmbedToken', example: { kind: 'portal', origin: 'https://app.fernandfield.example', theme: { accent: '#0B5F59' } } });

export const createEmbedToken = endpoint({
  id: 'embedTokens.create',
  route: 'POST /v1/programs/:programId/affiliates/:id/embed-tokens',
  scope: 'write',
  requires: 'affiliates.write',
  isKeyOnly: true,
  tag: 'Affiliates',
  summary: 'Create a token that embeds the portal or the widget',
  description:
    'Call it on your server for each page view, for the affiliate who is signed in to your application, and pass the token to the ' +
    'page. It is valid once, for five minutes, and only in pages of `origin`. It shows the earnings of the affiliate and changes ' +
    'nothing. Revoking the API key, suspending the affiliate or removing the origin from the program ends it, and what it has opened.',
  path: { id: idSlot('affiliates', 'The id of the affiliate.') },
  body: Body,
  statuses: [201],
  hasSecretResponse: true,
  result: z
    .object({
      token: z.string().describe('Secret until it is used: send it only to the page of the affiliate.'),
      kind: EmbedKind,
      affiliateId: uuidOut,
      url: z.string().describe('`portal`: the address of the frame. It contains the token. `widget`: the address of the script.'),
      expiresAt: timestampOut,
    })
    .meta({
      id: 'EmbedToken',
      example: {
        token: 'trb_embed_AZgKTnuOfD6fYSt_HD1OXwq3sJ0c1lX5n8Vb2hY7tKd9mQfRzPwLxE4uGa6NoiMjT',
        kind: 'portal',
        affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
        url: 'https://partners.example/embed/01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f/portal#trb_embed_AZgKTnuOfD6fYSt_HD1OXw…',
        expiresAt: '2026-11-24T09:05:00.000Z',
      },
    }),
  errors: [
    { status: 400, code: 'affiliate_not_active', when: 'The affiliate is not active.' },
    { status: 400, code: 'invalid_request', when: '`origin` is not one of the `embedOrigins` of the program.' },
  ],
  async handle(tx, { actor, params: { id: affiliateId }, body }) {
    const { programId } = actor;
    await requireEmbeddable(tx, { programId, affiliateId, origin: body.origin });
    const { secret, secretHash } = generateSecret('token', programId);
    const createdAt = systemTime(tx);
    const expiresAt = new Date(createdAt.getTime() + tokenMs);
    const { kind, origin: page, locale, theme } = body;
    const row = { programId, affiliateId, kind, origin: page, locale, theme: JSON.stringify(theme), createdAt, expiresAt };
    await tx.db
      .insertInto('embeds')
      .values({ ...row, id: tx.ids.uuid(), apiKeyId: actor.id, tokenHash: secretHash })
      .execute();
    const url = buildUrl(tx, { programId, token: secret, ...body });
    return { token: secret, kind, affiliateId, url, expiresAt: expiresAt.toISOString() };
  },
});

type Requested = { programId: string; affiliateId: string; origin: string };

/** Throws unless the affiliate is active and the program allows the origin. */
async function requireEmbeddable(tx: Tx, { programId, affiliateId, origin: page }: Requested): Promise<void> {
  const { rows } = await sql<{ status: string; embedOrigins: string[] }>`
    select affiliate.status, program.embed_origins from affiliates as affiliate
    join programs as program on program.id = ${programId}
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(tx.db);
  const [found] = rows;
  if (found?.status !== 'active') throw new InvalidState('affiliate_not_active', 'Only active affiliates can have an embed.');
  if (!found.embedOrigins.includes(page))
    throw new Invalid([{ path: ['origin'], message: 'is not allowed: add it to the `embedOrigins` of the program' }]);
}

type Addressed = Pick<z.output<typeof Body>, 'kind' | 'locale' | 'theme'> & { programId: string; token: string };

/** The token is in the fragment, which browsers don't send, so that it is in no log. */
function buildUrl({ config }: Pick<Tx, 'config'>, { programId, token, kind, locale, theme }: Addressed): string {
  if (kind === 'widget') return `${getPublicUrl(config)}/embed/widget.js`;
  const look = new URLSearchParams();
  if (locale !== null) look.set('locale', locale);
  if (theme.scheme !== undefined) look.set('scheme', theme.scheme);
  const query = look.size === 0 ? '' : `?${look}`;
  return `${getPublicUrl(config)}/embed/${programId}/portal${query}#${token}`;
}
