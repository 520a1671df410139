// Every response other than success, 409 and 422, and every request without a response, is thrown as a TributaryError.

/** What is wrong with one field of the request. */
export type FieldError = { readonly path: readonly string[]; readonly message: string };

type Fields = Pick<TributaryError, 'status' | 'code' | 'message' | 'details' | 'requestId' | 'retryAfter' | 'body'>;

export class TributaryError extends Error {
  override readonly name = 'TributaryError';
  /** The HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** Machine-readable, such as `missing_scope`. Without a response: `connection_failed` or `timeout`. */
  readonly code: string;
  /** For validation errors: each invalid field and the reason. */
  readonly details: readonly FieldError[];
  /** Include it in support requests. */
  readonly requestId: string | null;
  /** The seconds after which the request may be repeated, if the response says so. */
  readonly retryAfter: number | null;
  /** The whole body of the response. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor({ message, status, code, details, requestId, retryAfter, body }: Fields, options?: { cause: unknown }) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

/** The error of a response. A proxy in between may have sent something other than the JSON error body. */
export async function readError(response: Response): Promise<TributaryError> {
  const body = toRecord(await response.json().catch(() => null));
  return new TributaryError({
    status: response.status,
    code: typeof body.code === 'string' ? body.code : 'unexpected_response',
    message: typeof body.error === 'string' ? body.error : `Unexpected response (${response.status}).`,
    details: Array.isArray(body.details) ? (body.details as FieldError[]) : [],
    requestId: response.headers.get('x-request-id'),
    retryAfter: readRetryAfter(response.headers),
    body,
  });
}

/** The error of a request that received no response. */
export function toConnectionError(cause: unknown): TributaryError {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  const message = isTimeout ? 'The request timed out.' : 'The connection failed.';
  const none = { details: [], requestId: null, retryAfter: null, body: {} };
  return new TributaryError({ ...none, status: 0, code: isTimeout ? 'timeout' : 'connection_failed', message }, { cause });
}

/** Tributary sends seconds; proxies may send a date, which is ignored. */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
