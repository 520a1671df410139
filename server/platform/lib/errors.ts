// Errors with an HTTP status, a stable code and a message for the caller. Causes are logged, never sent.
// Statuses and their meaning: Contract §7.

export type Detail = { path: string[]; message: string };

type Options = {
  cause?: unknown;
  details?: Detail[];
  retryAfterSeconds?: number;
  facts?: Record<string, unknown> | undefined;
};

export class ApiError extends Error {
  readonly status: number;
  /** Stable, in snake_case, for programs. The message is for people. */
  readonly code: string;
  readonly details: Detail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Further fields of the error body, for programs. */
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

/** 400. The caller must change the request. `details` name each invalid field. */
export class Invalid extends ApiError {
  constructor(details: Detail[], publicMessage = 'The request is not valid.') {
    super(400, 'invalid_request', publicMessage, { details });
  }
}

/** 400. The current state doesn't allow this operation; the message says what to do instead. */
export class InvalidState extends ApiError {
  constructor(code: string, publicMessage: string, facts?: Record<string, unknown>) {
    super(400, code, publicMessage, { facts });
  }
}

/** 401. The same message for missing, malformed, unknown, revoked and expired keys, so that it reveals nothing. */
export class Unauthenticated extends ApiError {
  constructor() {
    super(401, 'unauthenticated', 'A valid API key is required: Authorization: Bearer <key>.');
  }
}

/** 401, for endpoints of signed-in users. The same message for missing, unknown, expired and ended sessions. */
export class SignedOut extends ApiError {
  constructor() {
    super(401, 'unauthenticated', 'Sign in to continue.');
  }
}

/** 403. The key is valid but lacks the scope. */
export class Forbidden extends ApiError {
  constructor(scope: string) {
    super(403, 'missing_scope', `This API key lacks the "${scope}" scope.`);
  }
}

/** 403. A request with a session cookie that did not demonstrably come from a page of this service. */
export class CrossSiteRequest extends ApiError {
  constructor() {
    const message = 'Requests with a session must be JSON from a page of this service: the Origin header must match its address.';
    super(403, 'cross_site_request', message);
  }
}

/** 403. The role of the member does not include the permission. */
export class PermissionRequired extends ApiError {
  constructor(facts: { permission: string; roles: string[]; members: string[] }) {
    super(403, 'permission_required', `Your role does not include the permission "${facts.permission}".`, { facts });
  }
}

/** 403. The user must prove their identity again before a sensitive operation. */
export class FreshSignInRequired extends ApiError {
  constructor() {
    super(403, 'fresh_sign_in_required', 'Confirm your identity: this operation requires a sign-in within the last ten minutes.');
  }
}

/** 403. A sensitive operation requires a second factor: the user has not used theirs in this session, or has none. */
export class SecondFactorRequired extends ApiError {
  constructor({ isSetUp }: { isSetUp: boolean }) {
    const message = isSetUp
      ? 'Confirm your identity with your passkey or authenticator app: it was not used in this session.'
      : 'Your role handles payouts. Set up a passkey or an authenticator app under Security before you continue.';
    super(403, 'second_factor_required', message, { facts: { isSetUp } });
  }
}

/** 403. The user's second factor is too new to move money, and no other owner has confirmed them. */
export class SecondFactorWaiting extends ApiError {
  constructor(countsFrom: Date) {
    const countsFromText = countsFrom.toISOString();
    const message = `Your second factor was set up or removed recently. It counts for payouts from ${countsFromText}, or once another owner confirms you under Members.`;
    super(403, 'second_factor_waiting', message, { facts: { countsFrom: countsFromText } });
  }
}

/** 403. A member views the portal as an affiliate, which is read-only. */
export class ViewIsReadOnly extends ApiError {
  constructor() {
    super(403, 'view_is_read_only', 'You are viewing the portal as an affiliate. Changes are turned off.');
  }
}

/** 403. API keys are not accepted. */
export class UserRequired extends ApiError {
  constructor() {
    super(403, 'user_required', 'This endpoint is for signed-in users; API keys are not accepted.');
  }
}

/** 403. Signed-in users are not accepted. */
export class KeyRequired extends ApiError {
  constructor() {
    super(403, 'api_key_required', 'This endpoint is for API keys; signed-in users call GET /app/me.');
  }
}

/**
 * 404. Ids of another program get the same response as nonexistent ones (Contract §5 rule 4). `field` is set for ids in
 * the body.
 */
export class NotFound extends ApiError {
  constructor(field?: string) {
    super(404, 'not_found', field ? `\`${field}\` was not found in this program.` : 'Not found.');
  }
}

/** 409. Clients treat it as "already done" (Contract §7), so it is used for duplicates only. */
export class Conflict extends ApiError {
  constructor(code: string, publicMessage: string, facts?: Record<string, unknown>) {
    super(409, code, publicMessage, { facts });
  }
}

/** 412. The object was changed after the version that the user saw. Only below `/app`: the contract doesn't know it. */
export class Outdated extends ApiError {
  constructor(code: string, publicMessage: string, facts?: Record<string, unknown>) {
    super(412, code, publicMessage, { facts });
  }
}

/** 422. Valid, but there is nothing to act on (Contract §7). Never for errors that the caller must fix. */
export class NothingToDo extends ApiError {
  constructor(code: string, publicMessage: string, facts?: Record<string, unknown>) {
    super(422, code, publicMessage, { facts });
  }
}

/** 429. The rate limit of the API key is exceeded. */
export class RateLimited extends ApiError {
  constructor(retryAfterSeconds: number) {
    super(429, 'rate_limited', 'Too many requests. Retry after the time in the Retry-After header.', { retryAfterSeconds });
  }
}

/** 429. Too many heavy requests of the same program are running or waiting. */
export class TooBusy extends ApiError {
  constructor(retryAfterSeconds: number) {
    const message = 'Too many concurrent heavy requests in this program. Retry after the time in the Retry-After header.';
    super(429, 'too_many_heavy_requests', message, { retryAfterSeconds });
  }
}

/**
 * 503. The request was not processed, or its outcome is unknown. Retrying is safe. A text is the public message; an error is the
 * cause, which is only logged.
 */
export class Unavailable extends ApiError {
  constructor(messageOrCause: unknown, retryAfterSeconds = 1) {
    const message = typeof messageOrCause === 'string' ? messageOrCause : 'The service is temporarily unavailable. Try again later.';
    super(503, 'unavailable', message, { cause: messageOrCause instanceof Error ? messageOrCause : undefined, retryAfterSeconds });
  }
}
