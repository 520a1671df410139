// `/welcome`, after the first sign-in: the name that other members see, and the offer of a passkey.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../../context.ts';
import { transact } from '../../../../platform/db/transact.ts';
import { readSessionToken } from '../../../../platform/http/session-cookie.ts';
import { isOneLine } from '../../../../platform/lib/text.ts';
import { findRelyingParty } from '../../passkeys/relying-party.ts';
import { findUser } from '../../sessions/session.ts';
import { findNextPath, parseNextPath } from '../next-path.ts';
import { renderWelcome } from './render.ts';
import { readField, sendHtml, textsOf } from './respond.ts';

export function serveWelcome(app: FastifyInstance, ctx: Context): void {
  const show = (request: FastifyRequest, reply: FastifyReply, { name, error }: { name: string; error: string | null }) => {
    const hasPasskeys = findRelyingParty(ctx.config, request.headers.host) !== null;
    const next = parseNextPath(readField(request, 'next'));
    return sendHtml(reply, renderWelcome({ texts: textsOf(request), next, name, error, hasPasskeys }));
  };
  app.get('/welcome', async (request, reply) => {
    const user = await findSignedIn(ctx, request);
    if (!user) return reply.redirect('/sign-in', 303);
    const { name } = await ctx.db.selectFrom('users').select('name').where('id', '=', user.id).executeTakeFirstOrThrow();
    return show(request, reply, { name, error: null });
  });
  app.post('/welcome', async (request, reply) => {
    const user = await findSignedIn(ctx, request);
    if (!user) return reply.redirect('/sign-in', 303);
    const given = readField(request, 'name') ?? '';
    const name = parseName(given);
    if (name === null) return show(request, reply.code(400), { name: given, error: textsOf(request).welcome.invalidName });
    await transact(ctx, (tx) => tx.db.updateTable('users').set({ name }).where('id', '=', user.id).execute());
    return reply.redirect(await findNextPath(ctx, user.id, readField(request, 'next')), 303);
  });
}

async function findSignedIn(ctx: Context, { headers }: FastifyRequest) {
  const token = readSessionToken(ctx.config, headers.cookie);
  return token === null ? null : findUser(ctx, token);
}

/** A name as it is stored; null if it is empty, too long, or not one line. */
function parseName(text: string): string | null {
  const name = text.normalize('NFC').trim();
  return name.length > 0 && name.length <= 200 && isOneLine(name) ? name : null;
}
