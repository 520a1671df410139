import type { FastifyRequest } from 'fastify';
import type { Caller } from './declaration/endpoint.ts';
import { siteOf } from './sites/site.ts';

/** The origin of a request. */
export function toCaller({ ip, headers, id: requestId, socket, raw }: FastifyRequest): Caller {
  return { ip, peer: socket.remoteAddress ?? '', headers, requestId, site: siteOf(raw) };
}
