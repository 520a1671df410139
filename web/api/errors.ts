// Every unsuccessful response, and every request without one, becomes a RequestError.

/** What is wrong with one field of the request. */
export type FieldError = { path: readonly (string | number)[]; message: string };

type Fields = {
  status: number;
  code: string;
  message: string;
  details: readonly FieldError[];
  requestId: string | null;
  /** Seconds until a repetition makes sense. */
  retryAfter: number | null;
  /** The rest of the body, e.g. the id of the object that already exists. */
  body: Readonly<Record<string, unknown>>;
};

/** A response outside of 2xx, or no response at all (`status` 0, `code` `offline`). */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly code: string;
  readonly details: readonly FieldError[];
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(fields: Fields) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.requestId = fields.requestId;
    this.retryAfter = fields.retryAfter;
    this.body = fields.body;
  }

  /** Whether the request succeeds once the user confirms their identity, with their second factor if they have one. */
  get needsConfirmation(): boolean {
    return this.code === 'fresh_sign_in_required' || (this.code === 'second_factor_required' && this.body.isSetUp === true);
  }

  /** Whether the same request may succeed later: the network, the rate limit or the server failed, not the request. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Whether the user has no second factor, and this request needs one. */
  get needsFactor(): boolean {
    return this.code === 'second_factor_required' && this.body.isSetUp === false;
  }
}

/** Words an error in the language of the page; null if there is no text for it. */
export type DescribeError = (fields: Pick<Fields, 'status' | 'code' | 'details' | 'body'>) => Promise<string | null>;

let describeError: DescribeError = async () => null;

/** Registers where errors get their texts. The sentences of the server are in English, for callers of the API. */
export function setErrorTexts(given: DescribeError): void {
  describeError = given;
}

/** Reads the JSON error body; a proxy in between may have sent something else. */
export async function readError(response: Response): Promise<RequestError> {
  const parsed: unknown = await response.json().catch(() => null);
  const body = isRecord(parsed) ? parsed : {};
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return toError({
    status: response.status,
    code: typeof body.code === 'string' ? body.code : 'unknown',
    message: typeof body.error === 'string' ? body.error : response.statusText,
    details: Array.isArray(body.details) ? (body.details as FieldError[]) : [],
    requestId: response.headers.get('x-request-id') ?? (typeof body.requestId === 'string' ? body.requestId : null),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
    body,
  });
}

async function toError(fields: Fields): Promise<RequestError> {
  const message = (await describeError(fields)) ?? fields.message;
  return new RequestError({ ...fields, message });
}

/** The request never reached the server, or its response never arrived. */
export async function offlineError(cause: unknown): Promise<RequestError> {
  const message = cause instanceof Error ? cause.message : String(cause);
  return toError({ status: 0, code: 'offline', message, details: [], requestId: null, retryAfter: null, body: {} });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
