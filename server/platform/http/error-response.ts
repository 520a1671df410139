// Turns every error into a response (Contract §2.6 and §7). Each has a JSON body with the request id; stack traces, SQL
// and library names are only logged.
import type { Logger } from 'pino';
import { isUnvalidatedInput, toApiError } from '../db/constraints.ts';
import { sqlState } from '../db/statements/sql-state.ts';
import { ApiError, type Detail, NotFound } from '../lib/errors.ts';

type ErrorBody = { error: string; code: string; requestId: string; details?: Detail[] | undefined; [fact: string]: unknown };
export type ErrorResponse = { status: number; headers: Record<string, string>; body: ErrorBody };

type RequestInfo = { requestId: string; log: Logger; bodyLimitBytes: number };

/** The response for an error of any kind. Unexpected errors are logged with their cause and result in a 500. */
export function toErrorResponse(error: unknown, { requestId, log, bodyLimitBytes }: RequestInfo): ErrorResponse {
  const known = error instanceof ApiError ? error : (toApiError(error) ?? toFrameworkError(error, bodyLimitBytes));
  if (isUnvalidatedInput(error))
    log.error({ err: error, requestId, alert: 'db_input_error' }, 'the database rejected a value that passed validation');
  if (known && known.status >= 500) log.warn({ reason: describeCause(known), requestId }, 'unavailable');
  if (!known) log.error({ err: error, requestId }, 'unexpected error');
  const response =
    known ??
    new ApiError(500, 'internal_error', 'An unexpected error occurred. Try again, and contact support with the request id if it persists.');
  return {
    status: response.status,
    headers: response.retryAfterSeconds === undefined ? {} : { 'retry-after': String(response.retryAfterSeconds) },
    body: { error: response.message, code: response.code, requestId, details: response.details, ...response.facts },
  };
}

/** Short, because an outage logs the same cause many times. */
function describeCause({ cause, message }: ApiError): string {
  return cause instanceof Error ? `${sqlState(cause)} ${cause.message}`.trim() : message;
}

/** Errors of the web framework. */
function toFrameworkError(error: unknown, bodyLimitBytes: number): ApiError | null {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return bodyTooLarge(bodyLimitBytes);
  if (status === 414) return new NotFound();
  if (status >= 400 && status < 500) return malformedRequest('The request is malformed.');
  return null;
}

function bodyTooLarge(limitBytes: number): ApiError {
  const limit = limitBytes >= 1024 * 1024 ? `${limitBytes / (1024 * 1024)} MB` : `${limitBytes / 1024} kB`;
  return new ApiError(413, 'too_large', `The request body is too large: the limit of this endpoint is ${limit}.`);
}

export function malformedRequest(text: string): ApiError {
  return new ApiError(400, 'malformed_request', text, { details: [{ path: [], message: text }] });
}

export function methodNotAllowed(): ApiError {
  return new ApiError(405, 'method_not_allowed', 'Method not allowed for this path.');
}
