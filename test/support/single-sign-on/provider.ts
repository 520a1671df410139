// A real OpenID Connect provider on loopback. It signs in the person that a test names, without asking.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

type Person = { email: string; email_verified: boolean; name?: string };

export type IdentityProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The persons by their subject. */
  people: Map<string, Person>;
  /** Follows an authorization URL as the person's browser would, and returns where it is sent back to. */
  signIn(url: string, subject: string): Promise<string>;
  close(): Promise<void>;
};

const [clientId, clientSecret] = ['tributary', 'secret-of-the-client-7c1d'];

/** Starts a provider that sends users back to `redirectUrl`. */
export async function startIdentityProvider(redirectUrl: string): Promise<IdentityProvider> {
  const people = new Map<string, Person>();
  let subject = '';
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] }],
    cookies: { keys: ['test'] },
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as never] },
    features: { devInteractions: { enabled: false } },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    interactions: { url: (_ctx, { uid }) => `/login/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/login/')) return next();
    const outcome = subject === '' ? { error: 'access_denied' } : { login: { accountId: subject } };
    ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, outcome));
  });
  server.on('request', provider.callback());
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    async signIn(url, person) {
      subject = person;
      return followRedirects(url, redirectUrl);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function followRedirects(start: string, end: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 6 && !url.startsWith(end); step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location') ?? assert.fail(`${url}: ${response.status} ${await response.text()}`);
    url = new URL(location, url).href;
  }
  return url;
}
