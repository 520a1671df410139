// What a person reads when the API rejects a request: its message, its code, and what to do next.
import { CommandError, exitCodes } from '../command-error.ts';
import type { Connection } from './connection.ts';

/** What a request knows about its origin, so that errors name what was typed. */
export type RequestOrigin = {
  /** The option of a field of the API. */
  optionOf?(field: string): string | undefined;
  /** Shown after an error, such as how to find an id. */
  adviceForMissing?: string | undefined;
};

type Failed = { status: number; headers: Headers; body: unknown };
type Detail = { path: (string | number)[]; message: string };
type ErrorBody = { error: string; code: string; requestId: string; details?: Detail[] };

/** Whether the same request can succeed later. */
export function isTemporary({ status }: Pick<Failed, 'status'>): boolean {
  return status === 429 || status >= 500;
}

export function toFailure(connection: Connection, origin: RequestOrigin, { status, headers, body }: Failed): CommandError {
  const advice = adviceFor(connection, origin, status);
  if (!isErrorBody(body)) {
    const id = headers.get('x-request-id');
    const text = `${connection.url} answered ${status}${id ? ` (request ${id})` : ''}. Check that Tributary is served there.`;
    return new CommandError(text, exitCodeOf(status));
  }
  const details = (body.details ?? []).map((detail) => `\n  ${describeDetail(origin, detail)}`).join('');
  const reference = `${body.code}, request ${body.requestId}`;
  return new CommandError(`${body.error} (${reference})${details}${advice ? `\n${advice}` : ''}`, exitCodeOf(status));
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body && 'code' in body && 'requestId' in body;
}

function describeDetail({ optionOf }: RequestOrigin, { path, message }: Detail): string {
  const [field = '', ...rest] = path.map(String);
  const option = optionOf?.(field);
  if (option === undefined) return `${path.join('.')} ${message}`.trim();
  return `${[option, ...rest].join('.')} ${message}`;
}

function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || status === 412 || status === 422) return exitCodes.conflict;
  if (status === 429 || status === 503) return exitCodes.unavailable;
  return status < 500 ? exitCodes.usage : exitCodes.failed;
}

function adviceFor({ url }: Connection, { adviceForMissing }: RequestOrigin, status: number): string | undefined {
  if (status === 401) return `Check the API key for ${url}, or run \`tributary login\`.`;
  if (status === 403) return 'Use an API key whose scopes allow this: `tributary me` shows those of yours.';
  if (status === 404) return adviceForMissing;
  if (status === 429) return 'The limit of requests was reached. Try again in a minute.';
  if (status >= 500) return 'Try again; if it continues, send the request id to the operator of the installation.';
  return undefined;
}
