import type { HttpRequest, HttpResponse } from '../../../platform/lib/http.ts';
import { failedOutcome, parseJsonObject, toCode, toConnectionOutcome, toUnclearOutcome } from '../outcomes.ts';
import type { Destination, Outcome, RailParts } from '../rail.ts';
import { joinUrl } from '../setting-fields.ts';

export const name = 'Wise';

/** Wise's response, or the outcome of a missing one. */
export type WiseApi = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<HttpResponse | Outcome>;

export function createWiseApi({ config, secrets, http }: RailParts): WiseApi {
  const headers = { authorization: `Bearer ${secrets.apiToken}`, 'content-type': 'application/json' };
  return (method, path, body) => {
    const request: HttpRequest = { method, url: joinUrl(config.baseUrl, path), headers };
    if (body !== undefined) request.body = JSON.stringify(body);
    return http(request).catch((error: unknown) => toConnectionOutcome(error, name));
  };
}

/** The JSON of a success; otherwise a rejection (400, 404, 422) or an unclear outcome. */
export function readSuccess(
  response: HttpResponse | Outcome,
  { clock }: RailParts,
  { step, destination }: { step: string; destination: Destination },
): { read: Record<string, unknown> } | { outcome: Outcome } {
  if ('outcome' in response) return { outcome: response };
  const body = parseJsonObject(response);
  if ((response.status === 200 || response.status === 201) && body) return { read: body };
  if (body && [400, 404, 422].includes(response.status))
    return { outcome: failedOutcome(name, toCode(readErrorCode(body), destination, `${step}_rejected`)) };
  return { outcome: toUnclearOutcome(response, name, clock) };
}

/** Wise has several error formats. */
export function readErrorCode(body: Record<string, unknown> | null): unknown {
  const [first] = Array.isArray(body?.errors) ? (body.errors as { code?: unknown }[]) : [];
  return first?.code ?? body?.errorCode ?? body?.code;
}
