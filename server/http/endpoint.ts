// One declaration per operation. From it follow: types, validation, response shaping (what isn't
// declared can't leave), the OpenAPI document, and the generated authorization tests.
import type { z } from 'zod';
import type { Context, Tx } from '../context.ts';

/** What a key must be allowed to do. `any`: every valid key. */
export type Scope = 'read' | 'write' | 'any';

/** Who calls: a key, and with it the one program it belongs to (Contract §5 rule 4). */
export type Actor = {
  keyId: string;
  programId: string;
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

/** An answer with a status of its own, where an operation has more than one. */
export class Reply<Body> {
  readonly status: number;
  readonly body: Body;
  constructor(status: number, body: Body) {
    this.status = status;
    this.body = body;
  }
}

type Input<Names extends string, Query, Body> = {
  actor: Actor;
  params: Record<Names, string>;
  query: Query;
  body: Body;
};

export type Endpoint<S extends Scope, Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  /** Stable name: operation id of the OpenAPI document and method of the SDK. */
  id: string;
  /** Method and path; `:programId` is checked against the key without being declared. */
  route: `${'GET' | 'POST' | 'PATCH'} /v1/${string}`;
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
  /** Refusals beyond those that follow from the declaration, for the document. */
  refusals?: Partial<Record<400 | 404 | 409 | 422, string>>;
  /**
   * Rule and SQL. A writing endpoint runs in one transaction, which commits before the answer is
   * sent and may be repeated as a whole; so its body touches nothing but the database.
   */
  handle(
    ctx: S extends 'write' ? Tx : Context,
    input: Input<Names, z.output<Query>, z.output<Body>>,
  ): Promise<z.input<Result> | Reply<z.input<Result>>>;
};

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
export function parseRoute(route: string): { method: 'GET' | 'POST' | 'PATCH'; path: string } {
  const [method, path] = route.split(' ');
  if ((method !== 'GET' && method !== 'POST' && method !== 'PATCH') || !path) throw new Error(`Not a route: ${route}`);
  return { method, path };
}
