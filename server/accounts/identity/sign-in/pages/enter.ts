// `/enter/TOKEN`: the page of a link. Fetching it shows who would be signed in and changes nothing; its button signs in.

import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '../../../../context.ts';
import { toCaller } from '../../../../platform/http/caller.ts';
import { systemTime } from '../../../../platform/lib/clock.ts';
import { findProgramIds } from '../../../programs/person-programs.ts';
import { listAffiliatesOf } from '../../affiliate-accounts/claim.ts';
import { listInvitationsOf } from '../../invitations/invitation.ts';
import { readBrowserHash } from '../browser-cookie.ts';
import { completeLink } from '../complete.ts';
import { readBrowser } from '../endpoints.ts';
import { parseNextPath } from '../next-path.ts';
import { isOtherBrowser } from '../start.ts';
import { findLinkProblem, findVerification, isInvitation, type Verification } from '../verification.ts';
import { renderEnter } from './render.ts';
import { readField, sendCompleted, sendHtml, textsOf } from './respond.ts';

export function serveEnterPage(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { token: string } }>('/enter/:token', async (request, reply) => {
    const { token } = request.params;
    const verification = await findVerification(ctx, token);
    const problem = findLinkProblem(verification, systemTime(ctx));
    if (!verification || problem) {
      const email = verification?.email ?? null;
      const completed = { kind: 'link_problem', problem: problem ?? 'unknown', email } as const;
      return sendCompleted(request, reply, ctx, { completed, action: '', emailCode: null });
    }
    const page = renderEnter({
      texts: textsOf(request),
      next: parseNextPath(readField(request, 'next')),
      token,
      email: verification.email,
      programs: await findProgramNames(ctx, verification),
      isAcceptance: isInvitation(verification) && (await hasAccount(ctx, verification)),
      isOtherBrowser: isOtherBrowser(verification, readBrowserHash(ctx.config, request.headers.cookie)),
    });
    return sendHtml(reply, page);
  });
  app.post<{ Params: { token: string } }>('/enter/:token', async (request, reply) => {
    const { token } = request.params;
    const secondFactorCode = readField(request, 'secondFactorCode');
    const completed = await completeLink(ctx, { token, secondFactorCode, browser: readBrowser(ctx, toCaller(request)) });
    return sendCompleted(request, reply, ctx, { completed, action: `/enter/${token}`, emailCode: null });
  });
}

async function hasAccount({ db }: Context, { emailKey }: Verification): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('emailKey', '=', emailKey).executeTakeFirst()) !== undefined;
}

/** The programs of the user, and those to which an invitation or an affiliate with this address leads, by name. */
async function findProgramNames(ctx: Context, { userId, emailKey }: Verification): Promise<string[]> {
  const now = systemTime(ctx);
  const invitations = (await listInvitationsOf(ctx, emailKey)).filter(({ expiresAt }) => expiresAt > now);
  const affiliates = await listAffiliatesOf(ctx, emailKey);
  const roles = userId === null ? [] : await findProgramIds(ctx, { kind: 'member', person: userId });
  const ids = [...roles, ...[...invitations, ...affiliates].map(({ programId }) => programId)];
  const rows = await ctx.db
    .selectFrom('programs')
    .select('name')
    .where((program) =>
      program.or([
        program('id', '=', sql<string>`any(${ids}::uuid[])`),
        program('organizationId', 'in', (query) =>
          query.selectFrom('organizationMembers').select('organizationId').where('userId', '=', userId),
        ),
      ]),
    )
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
