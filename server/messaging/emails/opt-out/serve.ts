// `/unsubscribe/TOKEN`: the page by which a recipient opts out. Reading it changes nothing, because scanners fetch links;
// its button, and the one-click request of mail programs (RFC 8058), do.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type LinkAddress, registerLinkPages, startLinkPage } from '../../../accounts/identity/sign-in/pages/link-pages.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { optionalKinds } from '../kinds/table.ts';
import { parseUnsubscribeToken, type Subscription } from './link.ts';
import { renderUnsubscribe, type State } from './page.ts';
import { type Choices, chooseEmails, readRecipient } from './recipient.ts';

/** Registers the page. */
export function serveUnsubscribe(app: FastifyInstance, ctx: Context): Promise<void> {
  return registerLinkPages(app, (scope) => {
    scope.get<LinkAddress>('/unsubscribe/:token', (request, reply) =>
      answer(ctx, request, reply, { state: request.url.endsWith('?choices') ? 'choices' : 'question' }),
    );
    scope.post<LinkAddress>('/unsubscribe/:token', async (request, reply) => {
      const form = new URLSearchParams(String(request.body ?? ''));
      if (form.get('action') === 'choose') return answer(ctx, request, reply, { state: 'saved', chosen: form.getAll('kind') });
      return answer(ctx, request, reply, { state: form.get('action') === 'subscribe' ? 'subscribed' : 'unsubscribed' });
    });
  });
}

/** What was asked for; `chosen` are the kinds that were ticked. */
type Asked = { state: State; chosen?: string[] };

async function answer(ctx: Context, request: FastifyRequest<LinkAddress>, reply: FastifyReply, asked: Asked): Promise<FastifyReply> {
  startLinkPage(reply);
  const language = request.headers['accept-language'];
  const subscription = parseUnsubscribeToken(ctx, request.params.token);
  const name = subscription && (await findProgramName(ctx, subscription));
  if (!subscription || !name) return reply.code(404).send(renderUnsubscribe(language, null));
  const choices = toChoices(asked, subscription);
  if (choices) await transact(ctx, (tx) => chooseEmails(tx, { ...subscription, choices }));
  const { optedOutKinds } = await readRecipient(ctx, subscription);
  const { kind, address } = subscription;
  return reply.send(renderUnsubscribe(language, { name, address, kind, state: asked.state, optedOutKinds }));
}

/** Null if nothing is to be changed. The buttons and the one-click request are about the kind of the email. */
function toChoices({ state, chosen = [] }: Asked, { kind }: Subscription): Choices | null {
  if (state === 'question' || state === 'choices') return null;
  const isChosen = (one: string) => (state === 'saved' ? chosen.includes(one) : state === 'subscribed');
  const kinds = state === 'saved' || kind === null ? optionalKinds : [kind];
  return Object.fromEntries(kinds.map((one) => [one, isChosen(one)]));
}

async function findProgramName({ db }: Context, { programId }: Subscription): Promise<string | null> {
  const program = await db.selectFrom('programs').select('name').where('id', '=', programId).executeTakeFirst();
  return program?.name ?? null;
}
