// Calls to external systems. For payments it matters whether a failed call may have arrived.

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Until the complete response was received. Default: 30 seconds. */
  timeoutMs?: number;
};

export type HttpResponse = { status: number; headers: Record<string, string>; body: string };

/** Sends one request without following redirects. Throws HttpFailure if there is no response. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/** No response was received. `mayHaveArrived` is false only if no connection was made. */
export class HttpFailure extends Error {
  readonly mayHaveArrived: boolean;
  constructor(message: string, { mayHaveArrived, cause }: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, { cause });
    this.mayHaveArrived = mayHaveArrived;
  }
}
