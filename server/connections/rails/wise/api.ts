import type { HttpResponse } from '../../../platform/lib/http.ts';
import { codeOf, jsonOf, refused, unanswered, unclear } from '../answers.ts';
import { under } from '../fields.ts';
import type { Answer, Destination, RailParts } from '../rail.ts';

export const name = 'Wise';

/** Wise's answer, or what it means that there is none. */
export type WiseApi = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<HttpResponse | Answer>;

export function wiseApi({ config, secrets, http }: RailParts): WiseApi {
  const headers = { authorization: `Bearer ${secrets.apiToken}`, 'content-type': 'application/json' };
  return (method, path, body) =>
    http({ method, url: under(config.baseUrl, path), headers, ...(body !== undefined && { body: JSON.stringify(body) }) }).catch(
      (error: unknown) => unanswered(error, name),
    );
}

/** The JSON of a success; else a refusal (400, 404, 422), or what is unclear. */
export function readOr(
  response: HttpResponse | Answer,
  { clock }: RailParts,
  { step, destination }: { step: string; destination: Destination },
): { read: Record<string, unknown> } | { answer: Answer } {
  if ('outcome' in response) return { answer: response };
  const body = jsonOf(response);
  if ((response.status === 200 || response.status === 201) && body) return { read: body };
  if (body && [400, 404, 422].includes(response.status))
    return { answer: refused(name, codeOf(errorCode(body), destination, `${step}_refused`)) };
  return { answer: unclear(response, name, clock) };
}

/** Wise writes errors in several forms. */
export function errorCode(body: Record<string, unknown> | null): unknown {
  const [first] = Array.isArray(body?.errors) ? (body.errors as { code?: unknown }[]) : [];
  return first?.code ?? body?.errorCode ?? body?.code;
}
