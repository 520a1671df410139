// `/unsubscribe/TOKEN`: the page by which a recipient opts out. Reading it changes nothing, because scanners fetch links;
// its button, and the one-click request of mail programs (RFC 8058), do. The token is the only proof that is needed: mail
// programs send neither cookies nor an origin.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from '../../../accounts/identity/sign-in/pages/assets.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { parseUnsubscribeToken, type Subscription } from './link.ts';
import { renderUnsubscribe } from './page.ts';
import { setOptOut } from './recipient.ts';

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
export async function serveUnsubscribe(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyLimitBytes }, async (_request: unknown, body: string | Buffer) =>
      String(body),
    );
    scope.get<Address>('/unsubscribe/:token', (request, reply) => answer(ctx, request, reply, 'question'));
    scope.post<Address>('/unsubscribe/:token', async (request, reply) => {
      const isSubscribing = new URLSearchParams(String(request.body ?? '')).get('action') === 'subscribe';
      return answer(ctx, request, reply, isSubscribing ? 'subscribed' : 'unsubscribed');
    });
  });
}

type State = 'question' | 'unsubscribed' | 'subscribed';

async function answer(ctx: Context, request: FastifyRequest<Address>, reply: FastifyReply, state: State): Promise<FastifyReply> {
  void reply.headers(headers).type('text/html; charset=utf-8');
  const language = request.headers['accept-language'];
  const subscription = parseUnsubscribeToken(ctx, request.params.token);
  const name = subscription && (await findProgramName(ctx, subscription));
  if (!subscription || !name) return reply.code(404).send(renderUnsubscribe(language, null));
  if (state !== 'question') await transact(ctx, (tx) => setOptOut(tx, { ...subscription, isOptedOut: state === 'unsubscribed' }));
  return reply.send(renderUnsubscribe(language, { name, address: subscription.address, state }));
}

async function findProgramName({ db }: Context, { programId }: Subscription): Promise<string | null> {
  const program = await db.selectFrom('programs').select('name').where('id', '=', programId).executeTakeFirst();
  return program?.name ?? null;
}
