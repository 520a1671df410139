// What an operation resolves with if it can return 409 or 422. Both are answers, not failures: the object already exists,
// or there is nothing to act on.

/** The request was carried out. */
export type Success<Status, Data> = {
  readonly ok: true;
  readonly status: Status;
  readonly data: Data;
  readonly requestId: string | null;
};

/** The request had no effect: 409, it already exists; 422, there is nothing to act on. `body` has further facts. */
export type NoEffect<Status, Body> = {
  readonly ok: false;
  readonly status: Status;
  readonly code: Body extends { code: infer Code } ? Code : string;
  readonly message: string;
  readonly body: Body;
  readonly requestId: string | null;
};

/** One of the responses of an operation, by `ok`, `status` and `code`. */
export type Outcome<Responses, NoEffects> =
  | { [Status in keyof Responses]: Success<Status, Responses[Status]> }[keyof Responses]
  | { [Status in keyof NoEffects]: NoEffect<Status, NoEffects[Status]> }[keyof NoEffects];

/** Reads a response with a success status, 409 or 422. */
export async function readOutcome(response: Response): Promise<Outcome<Record<number, unknown>, Record<number, { code: string }>>> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id');
  if (response.ok) return { ok: true, status, data: await readBody(response), requestId };
  const body = (await response.json()) as { error: string; code: string };
  return { ok: false, status, code: body.code, message: body.error, body, requestId };
}

/** JSON, or a file as a Blob. */
export async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return isJson ? response.json() : response.blob();
}
