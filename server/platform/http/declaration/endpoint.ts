// One declaration per operation. From it follow: types, validation, response shaping (what isn't
// declared can't leave), the OpenAPI document, and the generated authorization tests.
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import type { Actor } from '../../lib/actor.ts';
import type { ApiError } from '../../lib/errors.ts';

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

/** What a key must be allowed to do. `any`: every valid key. `open`: no key at all (Contract §5 rule 5). */
export type Scope = 'read' | 'write' | 'any' | 'open';

/** The actor of a request, with the one program that its key belongs to (Contract §5 rule 4). */
export type Principal = Actor & {
  programId: string;
  /** ISO 4217; every amount of the program is in it. */
  currency: string;
  scopes: readonly string[];
  /** Requests a minute for this key alone, or null for the installation's limit. */
  rateLimitPerMinute: number | null;
};

/**
 * A path parameter that names something of the program. The look-up runs before the body is read, so
 * that a foreign or nonexistent id answers 404 whatever the body holds. `null`: free text, checked by
 * `schema` together with the body (400).
 */
export type Slot = {
  schema: z.ZodType<string>;
  meaning: string;
  example: string;
  exists: ((ctx: Context, programId: string, value: string) => Promise<boolean>) | null;
};

/** An error that an operation can return beyond those that follow from its declaration. */
export type DeclaredError = {
  status: 400 | 404 | 409 | 422 | 503;
  /** Stable, in snake_case; what programs decide by. */
  code: string;
  /** When it is returned, as a sentence. */
  when: string;
  /** Further fields of the error body. */
  facts?: z.ZodObject;
};

/** An answer with a status of its own, where an operation has more than one. */
export class Reply<Body> {
  readonly status: number;
  readonly body: Body;
  constructor(status: number, body: Body) {
    this.status = status;
    this.body = body;
  }
}

/** What a response is made of. An iterable is sent piece by piece, so a long one never is in memory as a whole. */
export type Content = string | Uint8Array | AsyncIterable<string>;

/** A response that isn't shaped by `result`: a file, a picture, or JSON that is sent piece by piece. */
export class Document {
  readonly mediaType: string;
  readonly content: Content;
  /** Set for what a browser should save under a name. */
  readonly fileName: string | undefined;
  constructor(mediaType: string, content: Content, fileName?: string) {
    this.mediaType = mediaType;
    this.content = content;
    this.fileName = fileName;
  }
}

/** Where a request came from. `peer` is the other end of the connection, `ip` the same or the client that a trusted proxy named. */
export type Caller = { ip: string; peer: string; headers: IncomingHttpHeaders };

/** The parts of a request, checked. An open endpoint has no actor. */
export type Input<S extends Scope, Names extends string, Query, Body> = {
  actor: S extends 'open' ? null : Principal;
  caller: Caller;
  params: Record<Names, string>;
  query: Query;
  body: Body;
};

type Outcome<Result> = Result | Reply<Result> | Document;

type Declaration<S extends Scope, Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  /** Stable name: operation id of the OpenAPI document and method of the SDK. */
  id: string;
  /** Method and path; `:programId` is checked against the key without being declared. */
  route: `${Method} /v1/${string}`;
  scope: S;
  tag: string;
  summary: string;
  description?: string;
  path?: Record<Names, Slot>;
  query?: Query;
  body?: Body;
  /** The statuses of success; the first is the usual one. */
  statuses: readonly [number, ...number[]];
  result: Result;
  /** Media types besides JSON that the operation can return. */
  media?: readonly string[];
  /** Scripts on pages of other sites may call it: it needs no key and reveals no data. */
  allowsCrossOrigin?: true;
  /** Its response holds a secret that is shown once; the copy stored under an Idempotency-Key is encrypted. */
  hasSecretResponse?: true;
  /** Takes much time or memory: few of a program run at once, the others wait or get 429 (load/heavy.ts). Needs a key. */
  heavy?: true;
  /** For operations that accept more than the default 64 kB. */
  bodyLimitBytes?: number;
  /** What a further status of success means, by status. */
  outcomes?: Readonly<Record<number, string>>;
  /** Errors beyond those that follow from the declaration. A test fails when an operation returns another one. */
  errors?: readonly DeclaredError[];
  /** Being replaced by `errors`. */
  refusals?: Partial<Record<400 | 404 | 409 | 422, string>>;
};

/**
 * One request, one run. A writing endpoint runs in one transaction, which commits before the response is sent and may
 * be retried as a whole, so its body touches nothing but the database.
 */
type Handled<S extends Scope, Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  handle(ctx: S extends 'write' ? Tx : Context, input: Input<S, Names, z.output<Query>, z.output<Body>>): Promise<Outcome<z.input<Result>>>;
  /** Runs before the transaction opens, for slow work such as parsing a file in a worker. Its result is the body. */
  prepare?(ctx: Context, body: z.output<Body>): Promise<z.output<Body>>;
  outside?: never;
  together?: never;
};

/**
 * For operations that call external systems: no transaction is open while they wait. Each step commits by itself and
 * can be repeated safely; an Idempotency-Key is not needed and not read.
 */
type Outside<S extends Scope, Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  outside(ctx: Context, input: Input<S, Names, z.output<Query>, z.output<Body>>): Promise<Outcome<z.input<Result>>>;
  handle?: never;
  prepare?: never;
  together?: never;
};

/**
 * For writes that arrive in bursts: requests of one program that wait together share a transaction. Returns one outcome
 * per input, in order; an error is a value here, so that one request never fails the others.
 */
type Together<S extends Scope, Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  together(
    tx: Tx,
    programId: string,
    inputs: readonly Input<S, Names, z.output<Query>, z.output<Body>>[],
  ): Promise<(Outcome<z.input<Result>> | ApiError)[]>;
  handle?: never;
  prepare?: never;
  outside?: never;
};

export type Endpoint<
  S extends Scope,
  Names extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Result extends z.ZodType,
> = Declaration<S, Names, Query, Body, Result> &
  (Handled<S, Names, Query, Body, Result> | Outside<S, Names, Query, Body, Result> | Together<S, Names, Query, Body, Result>);

// biome-ignore lint/suspicious/noExplicitAny: the table of contents holds endpoints of every shape.
export type AnyEndpoint = Endpoint<Scope, string, any, any, any>;

/** Declares an operation; list it in api.ts. */
export function endpoint<
  S extends Scope,
  Result extends z.ZodType,
  Names extends string = never,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declaration: Endpoint<S, Names, Query, Body, Result>): Endpoint<S, Names, Query, Body, Result> {
  return declaration;
}

/** `GET /v1/me` → { method: 'GET', path: '/v1/me' }. */
export function parseRoute(route: string): { method: Method; path: string } {
  const [name, path] = route.split(' ');
  const method = methods.find((known) => known === name);
  if (!method || !path) throw new Error(`Not a route: ${route}`);
  return { method, path };
}
