// Calls to PayPal: OAuth 2 client credentials, with the token cached until it expires. Without a token no payment was
// requested, so failing to get one is `retry_later`, never `unknown`.
import type { Clock } from '../../../platform/lib/clock.ts';
import type { HttpRequest, HttpResponse } from '../../../platform/lib/http.ts';
import { credentialsRejected, parseJsonObject, toConnectionOutcome, toUnclearOutcome } from '../outcomes.ts';
import type { Outcome, RailParts } from '../rail.ts';
import { joinUrl } from '../setting-fields.ts';

export const name = 'PayPal';

/** PayPal's response, or the outcome of a missing one. */
export type PayPalApi = (method: 'GET' | 'POST', path: string, body?: string) => Promise<HttpResponse | Outcome>;

type Token = { value: string; until: number };

export function createPayPalApi(parts: RailParts): PayPalApi {
  let token: Promise<Token | Outcome> | null = null;
  const currentToken = async (): Promise<Token | Outcome> => {
    token ??= fetchToken(parts);
    const current = await token;
    const isUsable = 'value' in current && current.until > parts.clock.now().getTime();
    if (!isUsable) token = null;
    return isUsable || 'outcome' in current ? current : currentToken();
  };
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    isRepeat: boolean,
  ): Promise<HttpResponse | Outcome> => {
    const current = await currentToken();
    if ('outcome' in current) return current;
    const headers = { authorization: `Bearer ${current.value}`, 'content-type': 'application/json' };
    const request: HttpRequest = { method, url: joinUrl(parts.config.baseUrl, path), headers };
    if (body !== undefined) request.body = body;
    const response = await parts.http(request).catch((error: unknown) => toConnectionOutcome(error, name));
    if ('outcome' in response || response.status !== 401 || isRepeat) return response;
    // The token was revoked. A 401 had no effect, so the same call is repeated once.
    token = null;
    return call(method, path, body, true);
  };
  return (method, path, body) => call(method, path, body, false);
}

async function fetchToken({ config, secrets, http, clock }: RailParts): Promise<Token | Outcome> {
  const basic = Buffer.from(`${secrets.clientId}:${secrets.clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const url = joinUrl(config.baseUrl, '/v1/oauth2/token');
  const body = 'grant_type=client_credentials';
  const response = await http({ method: 'POST', url, headers, body }).catch((error: unknown) => toConnectionOutcome(error, name));
  if ('outcome' in response) return toTokenOutcome(response);
  const { access_token: value, expires_in: seconds } = parseJsonObject(response) ?? {};
  if (response.status === 200 && typeof value === 'string' && typeof seconds === 'number') {
    return { value, until: tokenExpiry(clock, seconds) };
  }
  // `invalid_client` is a 401, in some cases a 400.
  return response.status === 400 ? credentialsRejected(name) : toTokenOutcome(toUnclearOutcome(response, name, clock));
}

/** One minute before the token expires, since a call takes time. */
function tokenExpiry(clock: Clock, seconds: number): number {
  return clock.now().getTime() + Math.max(seconds - 60, 1) * 1000;
}

function toTokenOutcome(outcome: Outcome): Outcome {
  return outcome.outcome === 'unknown'
    ? { outcome: 'retry_later', retryAfterSeconds: 30, reason: `${name} issued no access token; nothing was paid.` }
    : outcome;
}
