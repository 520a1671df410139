// `/payout-change/TOKEN`: the page of the link "This wasn't me". Reading it changes nothing, because scanners fetch links;
// its button does. The token is the only proof that is needed, so that it works while the affiliate is signed out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from '../../../accounts/identity/sign-in/pages/assets.ts';
import type { Context } from '../../../context.ts';
import { parseReportToken } from '../../../messaging/emails/kinds/payouts/report-link.ts';
import { transact } from '../../../platform/db/transact.ts';
import { renderReport } from './page.ts';
import { findReportedChange, isReported, reportChange } from './report.ts';

const bodyLimitBytes = 8 * 1024;
const headers = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
};

type Address = { Params: { token: string } };

/** Registers the page in a separate scope, in which a body of any type is accepted. */
export async function servePayoutChangeReport(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyLimitBytes }, async (_request: unknown, body: string | Buffer) =>
      String(body),
    );
    scope.get<Address>('/payout-change/:token', (request, reply) => answer(ctx, request, reply, { reports: false }));
    scope.post<Address>('/payout-change/:token', (request, reply) => answer(ctx, request, reply, { reports: true }));
  });
}

async function answer(
  ctx: Context,
  request: FastifyRequest<Address>,
  reply: FastifyReply,
  { reports }: { reports: boolean },
): Promise<FastifyReply> {
  void reply.headers(headers).type('text/html; charset=utf-8');
  const language = request.headers['accept-language'];
  const linked = parseReportToken(ctx, request.params.token);
  const change = linked && (await findReportedChange(ctx, linked));
  const program = change && (await ctx.db.selectFrom('programs').select('name').where('id', '=', change.programId).executeTakeFirst());
  if (!change || !program || change.expiresAt <= ctx.clock.now()) return reply.code(404).send(renderReport(language, null));
  if (reports) await transact(ctx, (tx) => reportChange(tx, change));
  return reply.send(renderReport(language, { name: program.name, isDone: await isReported(ctx, change) }));
}
