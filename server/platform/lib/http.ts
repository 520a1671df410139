// Calls to external systems. For payments it matters whether a failed call may have arrived.

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Until the complete response was received. Default: 30 seconds. */
  timeoutMs?: number;
  /** Read only the start of the response: at most this much, for at most this long after its headers. */
  responseLimit?: { bytes: number; ms: number };
  /** Ends the call early. */
  signal?: AbortSignal;
};

export type HttpResponse = { status: number; headers: Record<string, string>; body: string };

/** Sends one request without following redirects. Throws HttpFailure if there is no response. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/** `blocked`: the URL must not be called, and no socket was opened. `unreachable`: no connection was made. */
export type HttpFailureReason = 'blocked' | 'unreachable' | 'timeout' | 'no_response';

/** No response was received. `mayHaveArrived` is false only if no connection was made. */
export class HttpFailure extends Error {
  readonly mayHaveArrived: boolean;
  readonly reason: HttpFailureReason;
  constructor(
    message: string,
    { mayHaveArrived, reason = 'no_response', cause }: { mayHaveArrived: boolean; reason?: HttpFailureReason; cause?: unknown },
  ) {
    super(message, { cause });
    this.mayHaveArrived = mayHaveArrived;
    this.reason = reason;
  }
}
