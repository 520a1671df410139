// An error that knows its status and the words the caller may read. Causes are logged, never sent.
// Statuses and their meaning: Contract §7.

export type Detail = { path: string[]; message: string };

type Options = { cause?: unknown; details?: Detail[]; retryAfterSeconds?: number; facts?: Record<string, unknown> };

export class ApiError extends Error {
  readonly status: number;
  /** Stable snake_case word for programs; `error` is for people. */
  readonly code: string;
  readonly details: Detail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Further fields of the answer, for a program to go on with. */
  readonly facts: Record<string, unknown> | undefined;

  constructor(status: number, code: string, publicMessage: string, options: Options = {}) {
    super(publicMessage, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = options.facts;
  }
}

/** 400. The caller must change the request. `details` name each offending field. */
export class Invalid extends ApiError {
  constructor(details: Detail[], publicMessage = 'The request is not valid.') {
    super(400, 'invalid_request', publicMessage, { details });
  }
}

/** 400. The current state doesn't allow this operation; the message says what to do instead. */
export class InvalidState extends ApiError {
  constructor(code: string, publicMessage: string, facts?: Record<string, unknown>) {
    super(400, code, publicMessage, facts ? { facts } : {});
  }
}

/** 401. One text for missing, malformed, unknown, revoked and expired keys, so that it tells nothing. */
export class Unauthenticated extends ApiError {
  constructor() {
    super(401, 'unauthenticated', 'A valid API key is required: Authorization: Bearer <key>.');
  }
}

/** 403. The key is good but lacks the scope. */
export class Forbidden extends ApiError {
  constructor(scope: string) {
    super(403, 'missing_scope', `This API key lacks the "${scope}" scope.`);
  }
}

/**
 * 404. Also for ids of another program (Contract §5 rule 4), with the same text, so that nothing
 * can be learned. `field` is set for ids that came in the body.
 */
export class NotFound extends ApiError {
  constructor(field?: string) {
    super(404, 'not_found', field ? `\`${field}\` was not found in this program.` : 'Not found.');
  }
}

/** 409. Clients read it as "already done" (Contract §7): only for true duplicates. */
export class Conflict extends ApiError {
  constructor(code: string, publicMessage: string, facts?: Record<string, unknown>) {
    super(409, code, publicMessage, facts ? { facts } : {});
  }
}

/** 422. A valid request, but nothing to act on (Contract §7): never for what the caller must fix. */
export class NothingToDo extends ApiError {
  constructor(code: string, publicMessage: string, facts?: Record<string, unknown>) {
    super(422, code, publicMessage, facts ? { facts } : {});
  }
}

/** 429, with the seconds to wait. */
export class RateLimited extends ApiError {
  constructor(retryAfterSeconds: number) {
    super(429, 'rate_limited', 'Too many requests. Wait and try again.', { retryAfterSeconds });
  }
}

/** 429 for heavy requests: too many of the same program are running or waiting. */
export class TooBusy extends ApiError {
  constructor(retryAfterSeconds: number) {
    super(429, 'too_many_heavy_requests', 'Too many heavy requests of this program are running. Wait and try again.', {
      retryAfterSeconds,
    });
  }
}

/**
 * 503. Nothing was decided, or the outcome is unknown; trying again is safe. A text is the public message; an error is the
 * cause, which is only logged.
 */
export class Unavailable extends ApiError {
  constructor(messageOrCause: unknown, retryAfterSeconds = 1) {
    const message = typeof messageOrCause === 'string' ? messageOrCause : 'The service is temporarily unavailable. Try again.';
    super(503, 'unavailable', message, { cause: messageOrCause instanceof Error ? messageOrCause : undefined, retryAfterSeconds });
  }
}
