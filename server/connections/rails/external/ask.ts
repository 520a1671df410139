import type { HttpResponse } from '../../../platform/lib/http.ts';
import type { RailParts } from '../rail.ts';
import { signedHeaders } from '../standard-webhooks.ts';

/** Posts a signed question. */
export type Ask = (id: string, question: Record<string, unknown>) => Promise<HttpResponse>;

export function askerOf({ config, secrets, http, clock }: RailParts): Ask {
  return (id, question) => {
    const body = JSON.stringify(question);
    const headers = { 'content-type': 'application/json', ...signedHeaders(secrets.signingSecret ?? '', id, clock.now(), body) };
    return http({ method: 'POST', url: String(config.url), headers, body });
  };
}
