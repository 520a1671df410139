// Calls to PayPal: OAuth 2 client credentials, the token kept until it ends. Without a token nothing was asked for,
// so whatever stands in the way of one is `later`, never `unknown`.
import type { Clock } from '../../../platform/lib/clock.ts';
import type { HttpResponse } from '../../../platform/lib/http.ts';
import { credentialsRefused, jsonOf, unanswered, unclear } from '../answers.ts';
import { under } from '../fields.ts';
import type { Answer, RailParts } from '../rail.ts';

export const name = 'PayPal';

/** PayPal's answer, or what it means that there is none. */
export type PayPalApi = (method: 'GET' | 'POST', path: string, body?: string) => Promise<HttpResponse | Answer>;

type Token = { value: string; until: number };

export function payPalApi(parts: RailParts): PayPalApi {
  let token: Promise<Token | Answer> | null = null;
  const tokenNow = async (): Promise<Token | Answer> => {
    token ??= newToken(parts);
    const had = await token;
    const isGood = 'value' in had && had.until > parts.clock.now().getTime();
    if (!isGood) token = null;
    return isGood || 'outcome' in had ? had : tokenNow();
  };
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    isRepeat: boolean,
  ): Promise<HttpResponse | Answer> => {
    const had = await tokenNow();
    if ('outcome' in had) return had;
    const headers = { authorization: `Bearer ${had.value}`, 'content-type': 'application/json' };
    const request = { method, url: under(parts.config.baseUrl, path), headers, ...(body !== undefined && { body }) };
    const response = await parts.http(request).catch((error: unknown) => unanswered(error, name));
    if ('outcome' in response || response.status !== 401 || isRepeat) return response;
    // The token was revoked; a 401 did nothing, so the same call may be made again, once.
    token = null;
    return call(method, path, body, true);
  };
  return (method, path, body) => call(method, path, body, false);
}

async function newToken({ config, secrets, http, clock }: RailParts): Promise<Token | Answer> {
  const basic = Buffer.from(`${secrets.clientId}:${secrets.clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const url = under(config.baseUrl, '/v1/oauth2/token');
  const body = 'grant_type=client_credentials';
  const response = await http({ method: 'POST', url, headers, body }).catch((error: unknown) => unanswered(error, name));
  if ('outcome' in response) return notAsked(response);
  const { access_token: value, expires_in: seconds } = jsonOf(response) ?? {};
  if (response.status === 200 && typeof value === 'string' && typeof seconds === 'number') {
    return { value, until: untilOf(clock, seconds) };
  }
  // `invalid_client` is a 401, in some cases a 400.
  return response.status === 400 ? credentialsRefused(name) : notAsked(unclear(response, name, clock));
}

/** A minute less than PayPal says: a call takes time. */
function untilOf(clock: Clock, seconds: number): number {
  return clock.now().getTime() + Math.max(seconds - 60, 1) * 1000;
}

function notAsked(answer: Answer): Answer {
  return answer.outcome === 'unknown'
    ? { outcome: 'later', retryAfterSeconds: 30, reason: `${name} gave no access; nothing was paid.` }
    : answer;
}
