// `/payout-change/TOKEN`: the page of the link "This wasn't me". Reading it changes nothing, because scanners fetch links;
// its button does.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type LinkAddress, registerLinkPages, startLinkPage } from '../../../accounts/identity/sign-in/pages/link-pages.ts';
import type { Context } from '../../../context.ts';
import { parseReportToken } from '../../../messaging/emails/kinds/payouts/report-link.ts';
import { transact } from '../../../platform/db/transact.ts';
import { renderReport } from './page.ts';
import { findReportedChange, isReported, reportChange } from './report.ts';

/** Registers the page. */
export function servePayoutChangeReport(app: FastifyInstance, ctx: Context): Promise<void> {
  return registerLinkPages(app, (scope) => {
    scope.get<LinkAddress>('/payout-change/:token', (request, reply) => answer(ctx, request, reply, { reports: false }));
    scope.post<LinkAddress>('/payout-change/:token', (request, reply) => answer(ctx, request, reply, { reports: true }));
  });
}

async function answer(
  ctx: Context,
  request: FastifyRequest<LinkAddress>,
  reply: FastifyReply,
  { reports }: { reports: boolean },
): Promise<FastifyReply> {
  startLinkPage(reply);
  const language = request.headers['accept-language'];
  const linked = parseReportToken(ctx, request.params.token);
  const change = linked && (await findReportedChange(ctx, linked));
  const program = change && (await ctx.db.selectFrom('programs').select('name').where('id', '=', change.programId).executeTakeFirst());
  if (!change || !program || change.expiresAt <= ctx.clock.now()) return reply.code(404).send(renderReport(language, null));
  if (reports) await transact(ctx, (tx) => reportChange(tx, change));
  return reply.send(renderReport(language, { name: program.name, isDone: await isReported(ctx, change) }));
}
