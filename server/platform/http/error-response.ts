// The one place where an error becomes an answer (Contract §2.6 and §7). Every error has the JSON
// body and the request id; stacks, SQL and names of libraries stay in the log.
import type { Logger } from 'pino';
import { isUnvalidatedInput, toApiError } from '../db/constraints.ts';
import { sqlState } from '../db/transact.ts';
import { ApiError, type Detail, NotFound } from '../lib/errors.ts';

export type ErrorBody = { error: string; code: string; requestId: string; details?: Detail[]; [fact: string]: unknown };
export type ErrorAnswer = { status: number; headers: Record<string, string>; body: ErrorBody };

type Asked = { requestId: string; log: Logger; bodyLimitBytes: number };

/** The answer to an error of any kind. Faults of ours are logged with their cause and answered 500. */
export function toErrorResponse(error: unknown, { requestId, log, bodyLimitBytes }: Asked): ErrorAnswer {
  const known = error instanceof ApiError ? error : (toApiError(error) ?? fromFramework(error, bodyLimitBytes));
  if (isUnvalidatedInput(error))
    log.error({ err: error, requestId, alert: 'db_input_error' }, 'validation let through what the database refused');
  if (known && known.status >= 500) log.warn({ reason: reasonOf(known), requestId }, 'unavailable');
  if (!known) log.error({ err: error, requestId }, 'unexpected error');
  const answer = known ?? new ApiError(500, 'internal_error', 'Something went wrong on our side. Try again, and quote the request id.');
  return {
    status: answer.status,
    headers: answer.retryAfterSeconds === undefined ? {} : { 'retry-after': String(answer.retryAfterSeconds) },
    body: {
      error: answer.message,
      code: answer.code,
      requestId,
      ...(answer.details && { details: answer.details }),
      ...answer.facts,
    },
  };
}

/** In a few words, since an outage says the same many times. */
function reasonOf({ cause, message }: ApiError): string {
  return cause instanceof Error ? `${sqlState(cause)} ${cause.message}`.trim() : message;
}

/** Refusals of the web framework, in our words. Contract §7 knows 400; 413 and 414 are decisions. */
function fromFramework(error: unknown, bodyLimitBytes: number): ApiError | null {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return tooLarge(bodyLimitBytes);
  if (status === 414) return new NotFound();
  if (status >= 400 && status < 500) return badRequest('The request is malformed.');
  return null;
}

function tooLarge(limitBytes: number): ApiError {
  const limit = limitBytes >= 1024 * 1024 ? `${limitBytes / (1024 * 1024)} MB` : `${limitBytes / 1024} kB`;
  return new ApiError(413, 'too_large', `The request body is too large: the limit of this endpoint is ${limit}.`);
}

export function badRequest(text: string): ApiError {
  return new ApiError(400, 'malformed_request', text, { details: [{ path: [], message: text }] });
}

export function methodNotAllowed(): ApiError {
  return new ApiError(405, 'method_not_allowed', 'Method not allowed for this path.');
}
