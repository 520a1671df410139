// Pages that emails link to: the token in their address is the only proof that is needed, so they work while the recipient
// is signed out. Mail programs send neither cookies nor an origin.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { contentSecurityPolicy } from './assets.ts';

const bodyLimitBytes = 8 * 1024;

/** The address contains the token, so it is never stored or sent to other sites. */
const headers = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
};

export type LinkAddress = { Params: { token: string } };

/** Registers pages in a separate scope, in which a body of any type is accepted. */
export async function registerLinkPages(app: FastifyInstance, register: (scope: FastifyInstance) => void): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyLimitBytes }, async (_request: unknown, body: string | Buffer) =>
      String(body),
    );
    register(scope);
  });
}

/** Sets the headers of a page. */
export function startLinkPage(reply: FastifyReply): void {
  void reply.headers(headers).type('text/html; charset=utf-8');
}
