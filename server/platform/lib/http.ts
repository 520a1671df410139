// Calls to outside systems. What matters to whoever pays is whether a failed call can have arrived.

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Until the whole answer is there; 30 s unless given. */
  timeoutMs?: number;
};

export type HttpResponse = { status: number; headers: Record<string, string>; body: string };

/** One request, without redirects. Throws HttpFailure when there is no answer. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/** No answer. `mayHaveArrived` is false only where no connection was made. */
export class HttpFailure extends Error {
  readonly mayHaveArrived: boolean;
  constructor(message: string, { mayHaveArrived, cause }: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, { cause });
    this.mayHaveArrived = mayHaveArrived;
  }
}
