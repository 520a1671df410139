// Calls the OpenID Connect provider of an organization with `openid-client`, through the HTTP client for addresses that
// customers configure. The library verifies state, nonce, PKCE, the signature, issuer, audience and times of the ID token.
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { Context } from '../../../context.ts';
import type { HttpRequest } from '../../../platform/lib/http.ts';
import type { Connection } from './connection.ts';
import { toRedirectUrl } from './connection.ts';
import { clientSecretOwner } from './encrypted-client-secret.ts';

type Settings = { issuer: string; clientId: string; clientSecret: string };

/** What the provider says about a user; values that are missing or of another type are null. */
export type Claims = { subject: string; email: string | null; isEmailVerified: boolean; name: string };

/** The values that tie an answer of the provider to the browser that asked. */
export type Secrets = { state: string; nonce: string; verifier: string };

/** `rejected`: the provider rejected the sign-in. `unavailable`: it did not answer, or its answer can't be trusted. */
export class ProviderFailure extends Error {
  readonly reason: 'rejected' | 'unavailable';
  constructor(reason: 'rejected' | 'unavailable', cause: unknown) {
    super(`The provider of single sign-on: ${reason}`, { cause });
    this.reason = reason;
  }
}

const timeoutMs = 10_000;

/** Loaded with the first sign-in. */
const loadClient = () => import('openid-client');

/** Reads the configuration of a provider. Throws ProviderFailure. */
export async function discoverProvider(ctx: Pick<Context, 'http' | 'config'>, settings: Settings): Promise<Configuration> {
  const client = await loadClient();
  const { issuer, clientId, clientSecret } = settings;
  const allowsHttp = ctx.config.allowPrivateAddresses;
  try {
    const provider = await client.discovery(new URL(issuer), clientId, {}, toClientAuth(client, clientSecret), {
      [client.customFetch]: toFetch(ctx),
      execute: [client.enableNonRepudiationChecks, ...(allowsHttp ? [client.allowInsecureRequests] : [])],
      timeout: timeoutMs / 1000,
    });
    const { authorization_endpoint: address = '', token_endpoint: tokens } = provider.serverMetadata();
    // The browser is sent there.
    const protocol = URL.parse(address)?.protocol;
    if (tokens === undefined || !(protocol === 'https:' || (allowsHttp && protocol === 'http:')))
      throw new Error('The configuration has no usable endpoints.');
    return provider;
  } catch (error) {
    throw new ProviderFailure('unavailable', error);
  }
}

/** The settings of a connection, with its secret decrypted. It must not be logged or returned. */
export function toSettings({ vault }: Pick<Context, 'vault'>, { organizationId, issuer, clientId, clientSecret }: Connection): Settings {
  return { issuer, clientId, clientSecret: vault.decrypt(clientSecret, clientSecretOwner(organizationId)) };
}

/** The address to which the browser is sent. Throws ProviderFailure. */
export async function createAuthorizationUrl(
  ctx: Pick<Context, 'http' | 'config' | 'vault'>,
  { connection, secrets, email }: { connection: Connection; secrets: Secrets; email: string },
): Promise<string> {
  const client = await loadClient();
  const provider = await discoverProvider(ctx, toSettings(ctx, connection));
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: toRedirectUrl(ctx),
    scope: 'openid email profile',
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    login_hint: email,
  });
  return url.href;
}

/** Exchanges the code in the address to which the browser was sent back. Throws ProviderFailure. */
export async function readClaims(
  ctx: Pick<Context, 'http' | 'config' | 'vault'>,
  { connection, secrets, query }: { connection: Connection; secrets: Secrets; query: string },
): Promise<Claims> {
  const client = await loadClient();
  const provider = await discoverProvider(ctx, toSettings(ctx, connection));
  const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = secrets;
  try {
    const url = new URL(`${toRedirectUrl(ctx)}${query}`);
    const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(provider, url, checks);
    const idToken = tokens.claims();
    if (!idToken) throw new Error('The provider sent no ID token.');
    const isComplete = idToken.email !== undefined && (idToken.email_verified ?? idToken.xms_edov) !== undefined;
    const hasMore = !isComplete && provider.serverMetadata().userinfo_endpoint !== undefined;
    const profile = hasMore ? await client.fetchUserInfo(provider, tokens.access_token, idToken.sub) : idToken;
    return toClaims(idToken.sub, profile);
  } catch (error) {
    throw new ProviderFailure(error instanceof client.AuthorizationResponseError ? 'rejected' : 'unavailable', error);
  }
}

/**
 * Some providers send `email_verified` as text. Microsoft Entra ID sends `xms_edov` instead: whether its tenant has proven the domain
 * of the address.
 */
export function toClaims(subject: string, profile: Record<string, unknown>): Claims {
  const { email, email_verified: verified = profile.xms_edov, name } = profile;
  return {
    subject,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: [true, 'true', 1, '1'].some((yes) => yes === verified),
    name: typeof name === 'string' ? name : '',
  };
}

/** The method that the provider supports; HTTP Basic is the default of the standard. */
function toClientAuth(client: Awaited<ReturnType<typeof loadClient>>, secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (supported.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

const statusesWithoutBody = [204, 205, 304];

/** The fetch function of the library. */
function toFetch({ http }: Pick<Context, 'http'>): CustomFetch {
  return async (url, { method, headers, body }) => {
    const request: HttpRequest = { method: method === 'POST' ? 'POST' : 'GET', url, headers, timeoutMs };
    if (body !== undefined && body !== null) request.body = String(body);
    const { status, headers: answered, body: text } = await http(request);
    return new Response(statusesWithoutBody.includes(status) ? null : text, { status, headers: answered });
  };
}
