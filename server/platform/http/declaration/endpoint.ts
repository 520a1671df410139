// One declaration per operation. It determines types, validation, the response (undeclared fields are removed), the
// OpenAPI document and the generated authorization tests.
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import type { ApiError } from '../../lib/errors.ts';
import type { Site } from '../sites/site.ts';
import type { Permission } from './permissions.ts';
import type { AffiliatePrincipal, AffiliateReader, Principal, UserPrincipal } from './principal.ts';

export type { Principal } from './principal.ts';

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

/**
 * The scope that an API key needs. `any`: every valid key. `open`: no key is needed (Contract §5 rule 5). `user`: a
 * signed-in user, independent of a program. `affiliate`: a signed-in user who is an affiliate of the program. The handlers of
 * both start their own transactions. `embed`: an affiliate, signed in or in an embedded portal; reading endpoints only.
 */
export type Scope = 'read' | 'write' | 'any' | 'open' | 'user' | 'affiliate' | 'embed';

/**
 * A path parameter. `exists` looks up an object of the owner before the body is read, so that a foreign or nonexistent
 * id results in 404 regardless of the body. The owner is the program, or the user if the endpoint has the scope `user`. In
 * the portal, `affiliateId` is the caller.
 * `null`: free text, validated with the body (400).
 */
export type Slot = {
  schema: z.ZodType<string>;
  meaning: string;
  example: string;
  exists: ((ctx: Context, ownerId: string, value: string, affiliateId: string | null) => Promise<boolean>) | null;
};

/** An error that an operation can return beyond those that follow from its declaration. */
export type DeclaredError = {
  status: 400 | 404 | 409 | 412 | 422 | 429 | 503;
  /** Stable, in snake_case, for programs. */
  code: string;
  /** When it is returned, as a sentence. */
  when: string;
  /** Further fields of the error body. */
  facts?: z.ZodObject;
};

/** A response with a specific status, for operations that have more than one. */
export class Reply<Body> {
  readonly status: number;
  readonly body: Body;
  /** Further headers, such as `set-cookie`. Not repeated when an Idempotency-Key is replayed. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: Body, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The body of a response. An iterable is streamed, so that a long body is never in memory completely. */
export type Content = string | Uint8Array | AsyncIterable<string>;

/** A response that isn't shaped by `result`: a file, an image or streamed JSON. */
export class Document {
  readonly mediaType: string;
  readonly content: Content;
  /** The name under which browsers save the file. */
  readonly fileName: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(mediaType: string, content: Content, fileName?: string, headers: Readonly<Record<string, string>> = {}) {
    this.mediaType = mediaType;
    this.content = content;
    this.fileName = fileName;
    this.headers = headers;
  }
}

/** The origin of a request. `peer` is the remote address of the connection; `ip` is the same, or the client that a trusted proxy reported. */
export type Caller = { ip: string; peer: string; headers: IncomingHttpHeaders; requestId: string; site: Site | null };

/** The validated parts of a request. An open endpoint has an actor only with `acceptsKey`. */
export type Input<S extends Scope, Names extends string, Query, Body> = {
  actor: S extends 'open'
    ? Principal | null
    : S extends 'user'
      ? UserPrincipal
      : S extends 'affiliate'
        ? AffiliatePrincipal
        : S extends 'embed'
          ? AffiliateReader
          : Principal;
  caller: Caller;
  params: Record<Names, string>;
  query: Query;
  body: Body;
};

type Outcome<Result> = Result | Reply<Result> | Document;

type Declaration<S extends Scope, Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  /** Stable name: the operation id in the OpenAPI document and the method name in SDKs. */
  id: string;
  /**
   * Method and path. `/v1` is the public API; `/app` is for the console and the portal. `:programId` is checked against the
   * caller and isn't declared in `path`.
   */
  route: `${Method} /v1/${string}` | `${Method} /app/${string}`;
  scope: S;
  /** What the role of a member must permit, or several of which one suffices. Default: `read`; writing endpoints must declare it. */
  requires?: Permission | readonly Permission[];
  /** The user must have proved their identity within the last ten minutes, and used their second factor in this session. */
  isSensitive?: true;
  /** Sends money or decides where it goes: the member's second factor must be older than a day, or confirmed by another owner. */
  movesMoney?: true;
  /** The statuses of an affiliate to whom it exists; others get 404. Default: only active affiliates. */
  affiliateStatuses?: readonly string[];
  /** API keys are not accepted. */
  isUserOnly?: true;
  /** Members are not accepted: the operation concerns the API key itself. */
  isKeyOnly?: true;
  tag: string;
  summary: string;
  description?: string;
  path?: Record<Names, Slot>;
  /** The handler throws NotFound for ids in the path that don't exist, so no separate query checks them before. Reading endpoints only. */
  findsPath?: true;
  /**
   * Equal requests of a caller that wait at the same time are run once (load/coalesce.ts). The response depends on the caller
   * and the URL. Reading endpoints only.
   */
  coalesces?: true;
  query?: Query;
  body?: Body;
  /** Success statuses; the first is the usual one. */
  statuses: readonly [number, ...number[]];
  result: Result;
  /** Further media types that the operation can return. */
  media?: readonly string[];
  /** Scripts on other sites may call it, because it needs no API key and reveals no data. */
  allowsCrossOrigin?: true;
  /** The response can have the header `Tributary-Warning`, because the contract fixes its fields. */
  warns?: true;
  /** The response contains a secret that is shown once; the copy stored with an Idempotency-Key is encrypted. */
  hasSecretResponse?: true;
  /** The field of the body that identifies what is created: a repeated request returns 409 and has no other effect. */
  idempotentBy?: string;
  /** The caller has no access afterwards, so repeating the request can't return its first response. */
  endsAccess?: true;
  /** A session that was started on a program's custom domain may call it. Of the scope `user`; the portal's are open to it. */
  onSites?: true;
  /** An open operation that does more with an API key. A missing or invalid key is not an error; the handler decides. */
  acceptsKey?: true;
  /**
   * Needs much time or memory: a program's concurrency is limited (load/heavy-requests.ts). `list`: reads many rows. Requires a
   * caller.
   */
  heavy?: true | 'list';
  /** Default: 64 kB. */
  bodyLimitBytes?: number;
  /** Descriptions of further success statuses. */
  outcomes?: Readonly<Record<number, string>>;
  /** Errors beyond those that follow from the declaration. Tests fail if an operation returns an undeclared one. */
  errors?: readonly DeclaredError[];
};

/**
 * Runs once per request. A writing endpoint runs in one transaction, which commits before the response is sent and can
 * be repeated as a whole, so its only side effects are in the database. An error that it throws is sent after a rollback, and
 * one that it returns after a commit. Neither is stored under an Idempotency-Key.
 */
type Handled<S extends Scope, Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  handle(
    ctx: S extends 'write' ? Tx : Context,
    input: Input<S, Names, z.output<Query>, z.output<Body>>,
  ): Promise<Outcome<z.input<Result>> | (S extends 'write' ? ApiError : never)>;
  /** Runs before the transaction starts, for slow work such as parsing a file in a worker thread. Returns the body. */
  prepare?(ctx: Context, body: z.output<Body>): Promise<z.output<Body>>;
  outside?: never;
  together?: never;
};

/**
 * For operations that call external systems: no transaction is open during a call. Each step commits separately and can
 * be repeated safely, so the Idempotency-Key header is ignored.
 */
type Outside<S extends Scope, Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  outside(ctx: Context, input: Input<S, Names, z.output<Query>, z.output<Body>>): Promise<Outcome<z.input<Result>>>;
  handle?: never;
  prepare?: never;
  together?: never;
};

/**
 * For writes that arrive in bursts: concurrent requests of one program share a transaction. Returns one outcome per
 * input, in order; errors are returned instead of thrown, so that one request never fails the others.
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

// biome-ignore lint/suspicious/noExplicitAny: the list of endpoints contains every combination of types.
export type AnyEndpoint = Endpoint<Scope, string, any, any, any>;

/** Declares an operation. Every operation must be listed in api.ts. */
export function endpoint<
  S extends Scope,
  Result extends z.ZodType,
  Names extends string = never,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declaration: Endpoint<S, Names, Query, Body, Result>): Endpoint<S, Names, Query, Body, Result> {
  return declaration;
}

/** Whether an operation belongs to the portal: its caller is an affiliate. */
export function isForAffiliates({ scope }: Pick<AnyEndpoint, 'scope'>): boolean {
  return scope === 'affiliate' || scope === 'embed';
}

/** The permissions of which a member needs one. */
export function requiredPermissions({ requires = 'read' }: Pick<AnyEndpoint, 'requires'>): readonly Permission[] {
  return typeof requires === 'string' ? [requires] : requires;
}

/** Whether an operation returns pages by offset. A page far from the start is heavy: all rows before it are read. */
export function hasOffset({ query }: Pick<AnyEndpoint, 'query'>): boolean {
  return query instanceof z.ZodObject && 'offset' in query.shape;
}

/** Parses `GET /v1/me` to { method: 'GET', path: '/v1/me' }. */
export function parseRoute(route: string): { method: Method; path: string } {
  const [name, path] = route.split(' ');
  const method = methods.find((known) => known === name);
  if (!method || !path) throw new Error(`Invalid route: ${route}`);
  return { method, path };
}
