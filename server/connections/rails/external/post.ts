import type { HttpResponse } from '../../../platform/lib/http.ts';
import type { RailParts } from '../rail.ts';
import { signedHeaders } from '../standard-webhooks.ts';

/** Posts a signed request. */
export type Post = (id: string, request: Record<string, unknown>) => Promise<HttpResponse>;

export function createPost({ config, secrets, http, clock }: RailParts): Post {
  return (id, request) => {
    const body = JSON.stringify(request);
    const headers = { 'content-type': 'application/json', ...signedHeaders(secrets.signingSecret ?? '', id, clock.now(), body) };
    return http({ method: 'POST', url: String(config.url), headers, body });
  };
}
