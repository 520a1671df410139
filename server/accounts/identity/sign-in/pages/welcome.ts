// `/welcome`, after the first sign-in: the user's name, and the offer of a passkey. Affiliates have no other members: the name
// is the one they were invited by.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '../../../../context.ts';
import { transact } from '../../../../platform/db/transact.ts';
import { toCaller } from '../../../../platform/http/caller.ts';
import { readSessionToken } from '../../../../platform/http/session-cookie.ts';
import { isOneLine } from '../../../../platform/lib/text.ts';
import { findProgramIds, readInPrograms } from '../../../programs/person-programs.ts';
import { findNewest } from '../../affiliate-accounts/claim.ts';
import { findRelyingParty } from '../../passkeys/relying-party.ts';
import { findUser } from '../../sessions/session.ts';
import { findNextPath, parseNextPath } from '../next-path.ts';
import { renderWelcome } from './render.ts';
import { readField, sendHtml, textsOf } from './respond.ts';

export function serveWelcome(app: FastifyInstance, ctx: Context): void {
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { userId: string; name: string | null; error: string | null },
  ) => {
    const { isMember, storedName } = await findProfile(ctx, shown.userId);
    const hasPasskeys = findRelyingParty(ctx.config, toCaller(request)) !== null;
    const next = parseNextPath(readField(request, 'next'));
    const { name, error } = { name: shown.name ?? storedName, error: shown.error };
    return sendHtml(reply, renderWelcome({ texts: textsOf(request), next, name, error, hasPasskeys, isMember }));
  };
  app.get('/welcome', async (request, reply) => {
    const user = await findSignedIn(ctx, request);
    if (!user) return reply.redirect('/sign-in', 303);
    return show(request, reply, { userId: user.id, name: null, error: null });
  });
  app.post('/welcome', async (request, reply) => {
    const user = await findSignedIn(ctx, request);
    if (!user) return reply.redirect('/sign-in', 303);
    const given = readField(request, 'name') ?? '';
    const name = parseName(given);
    if (name === null) return show(request, reply.code(400), { userId: user.id, name: given, error: textsOf(request).welcome.invalidName });
    await transact(ctx, (tx) => tx.db.updateTable('users').set({ name }).where('id', '=', user.id).execute());
    return reply.redirect(await findNextPath(ctx, { userId: user.id, siteProgramId: user.siteProgramId }, readField(request, 'next')), 303);
  });
}

/** Whether the user is a member of a program or organization, and their name: their own, or else that of their affiliate. */
async function findProfile({ db }: Context, userId: string): Promise<{ isMember: boolean; storedName: string }> {
  const { rows } = await sql<{ isMember: boolean; name: string }>`
    select users.name, exists (select from person_programs where kind = 'member' and person = ${userId})
        or exists (select from organization_members where user_id = ${userId}::uuid) as is_member
    from users where users.id = ${userId}::uuid`.execute(db);
  const [found] = rows;
  return { isMember: found?.isMember ?? false, storedName: found?.name || (await findAffiliateName({ db }, userId)) };
}

/** The name of the affiliate that the user claimed last. */
async function findAffiliateName(ctx: Pick<Context, 'db'>, userId: string): Promise<string> {
  const programIds = await findProgramIds(ctx, { kind: 'account', person: userId });
  const found = await readInPrograms(ctx, programIds, (db, programId) =>
    db
      .selectFrom('affiliateAccounts as account')
      .innerJoin('affiliates', (join) => join.on('affiliates.programId', '=', programId).onRef('affiliates.id', '=', 'account.affiliateId'))
      .select(['firstName', 'lastName', 'claimedAt as createdAt'])
      .where('account.programId', '=', programId)
      .where('account.userId', '=', userId)
      .executeTakeFirst(),
  );
  const { firstName = '', lastName = '' } = findNewest(found.flatMap((affiliate) => affiliate ?? [])) ?? {};
  return `${firstName} ${lastName}`.trim();
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
