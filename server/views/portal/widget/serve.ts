// The referral widget: `GET /embed/widget.js`, and `POST /embed/PROGRAM-ID/widget`, with which it exchanges its token for what
// it shows. Only pages of origins that the program allows can call it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { EmbedLocale, EmbedTheme } from '../../../accounts/identity/embeds/embed.ts';
import { findEmbedOrigins } from '../../../accounts/identity/embeds/find-embed.ts';
import { toLook } from '../../../accounts/identity/embeds/look.ts';
import { openEmbed } from '../../../accounts/identity/embeds/open.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { readScript, serveScriptFile } from '../../../platform/http/pages/script-file.ts';
import { ApiError, Invalid, InvalidState, NotFound } from '../../../platform/lib/errors.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { readWidgetFigures } from './figures.ts';

/** The script as it is sent. */
export const widgetScript = readScript(new URL('widget.js', import.meta.url));

/** Registers the script on an instance without the headers of the API. */
export function serveWidgetScript(app: FastifyInstance): void {
  serveScriptFile(app, '/embed/widget.js', widgetScript);
}

const Body = z.object({
  token: z.string().max(200),
  locale: EmbedLocale.nullable().default(null),
  /** Attributes of the element. They take precedence over the theme of the token. */
  theme: EmbedTheme.default({}),
});

type Address = { Params: { programId: string } };

/** Registers the exchange. */
export function serveWidget(app: FastifyInstance, ctx: Context): void {
  app.options<Address>('/embed/:programId/widget', async (request, reply) => {
    await allowOrigin(ctx, request, reply);
    const headers = {
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
    };
    return reply.code(204).headers(headers).send();
  });
  app.post<Address>('/embed/:programId/widget', async (request, reply) => {
    const { programId, origin } = await allowOrigin(ctx, request, reply);
    const { data, error } = Body.safeParse(request.body);
    if (error) throw new Invalid(error.issues.map(({ path, message }) => ({ path: path.map(String), message })));
    const shown = await transact(ctx, async (tx) => {
      const embed = await openEmbed(tx, { token: data.token, kind: 'widget' });
      if (embed.programId !== programId || embed.origin !== origin)
        throw new InvalidState('embed_token_invalid', 'This token is for another page. Create a new one.');
      const look = toLook({ ...embed.theme, ...data.theme });
      return { ...(await readWidgetFigures(tx, embed)), locale: data.locale ?? embed.locale, look };
    });
    return reply.header('cache-control', 'no-store').send(shown);
  });
}

/** Lets the browser give the response to a page of an allowed origin. Throws for other pages. */
async function allowOrigin(ctx: Context, { params, headers }: FastifyRequest<Address>, reply: FastifyReply) {
  const programId = canonicalUuid(params.programId);
  if (programId === null) throw new NotFound();
  const { origin } = headers;
  void reply.header('vary', 'origin');
  if (origin === undefined || !(await findEmbedOrigins(ctx, programId)).includes(origin))
    throw new ApiError(
      403,
      'origin_not_allowed',
      'Pages of this origin may not embed the widget: add it to the `embedOrigins` of the program.',
    );
  void reply.header('access-control-allow-origin', origin);
  return { programId, origin };
}
