import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { startRequestLog } from './collect.ts';
import { describeRequest } from './describe-request.ts';
import { writeRequests } from './write-requests.ts';

type OpenedLog = { add(request: FastifyRequest, reply: FastifyReply): void; close(): Promise<void> };

/** Opens the request log of a process. `count`: how many requests were not logged. */
export function openRequestLog(ctx: Context, count: (requests: number) => void = () => {}): OpenedLog {
  const log = startRequestLog({
    write: (programId, requests) => writeRequests(ctx, programId, requests),
    onDropped(requests, cause) {
      count(requests);
      ctx.log.warn({ requests, reason: cause instanceof Error ? cause.message : cause }, 'requests are missing in the request log');
    },
  });
  return {
    add(request, reply) {
      const described = describeRequest(request, reply, { ids: ctx.ids, now: ctx.clock.now() });
      if (described) log.add(described);
    },
    close: log.close,
  };
}
