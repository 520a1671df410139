// A browser without scripts: it keeps cookies, sends forms as browsers do, and has its own address.
import type { FastifyInstance } from 'fastify';
import type { Message } from '../../server/messaging/emails/mailer.ts';

export type VisitedPage = { status: number; headers: Record<string, unknown>; text: string };

export type Visitor = {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<VisitedPage>;
  /** Sends a form from a page of the service. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<VisitedPage>;
  /** Sends JSON from a script of the service. */
  json(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  ): Promise<VisitedPage & { body: any }>;
  /** Whether the service knows who this is. */
  isSignedIn(): Promise<boolean>;
};

const origin = 'http://api.test';
let visitors = 0;

/** A new browser, from its own network unless `ip` is given. */
export function openVisitor(
  app: FastifyInstance,
  { ip, userAgent = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' }: { ip?: string; userAgent?: string } = {},
): Visitor {
  visitors += 1;
  const remoteAddress = ip ?? `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
  const cookies = new Map<string, string>();
  const send = async (method: string, url: string, payload: string | undefined, headers: Record<string, string>): Promise<VisitedPage> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const identity: Record<string, string> = cookie ? { cookie } : {};
    const sent = { host: 'api.test', 'user-agent': userAgent, ...identity, ...headers };
    const response = await app.inject({ method: method as 'GET', url, headers: sent, remoteAddress, payload: payload ?? '' });
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      if (/Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, pair.slice(pair.indexOf('=') + 1));
    }
    return { status: response.statusCode, headers: response.headers, text: response.body };
  };
  const visitor: Visitor = {
    cookies,
    get: (path, headers = {}) => send('GET', path, undefined, headers),
    post: (path, fields, headers = {}) =>
      send('POST', path, String(new URLSearchParams(fields)), {
        origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      }),
    async json(method, path, body, headers = {}) {
      const contents: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const page = await send(method, path, body === undefined ? undefined : JSON.stringify(body), { origin, ...contents, ...headers });
      return { ...page, body: page.text.startsWith('{') ? JSON.parse(page.text) : null };
    },
    isSignedIn: async () => (await send('GET', '/app/passkeys', undefined, {})).status === 200,
  };
  return visitor;
}

/** What a sign-in email contains. */
export function readSignInEmail({ text }: Message): { token: string; path: string; code: string | null } {
  const url = new URL(/https?:\/\/\S+\/enter\/\S+/.exec(text)?.[0] ?? 'http://none.invalid/enter/none');
  return { token: url.pathname.split('/').at(-1) ?? '', path: url.pathname + url.search, code: /^Code: (\d{6})$/m.exec(text)?.[1] ?? null };
}
