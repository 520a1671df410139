// Runs writing endpoints: each request in a separate transaction, or several requests of a program in one transaction
// if the endpoint allows it. A request with an Idempotency-Key always has its own. Endpoints that call external systems
// commit step by step.
import type { Context, Tx } from '../../context.ts';
import { toApiError } from '../db/constraints.ts';
import { transact } from '../db/transact.ts';
import { createByProgram } from '../lib/concurrency/by-program.ts';
import { createBatcher } from '../lib/concurrency/micro-batch.ts';
import { createSemaphore } from '../lib/concurrency/semaphore.ts';
import { ApiError, NotFound, Unavailable } from '../lib/errors.ts';
import { toNetwork } from '../lib/network/ip-address.ts';
import { toProgramRequest } from '../test-clocks/program-clock.ts';
import { recheckCallers, withCallerCheck } from './active-caller.ts';
import { type AnyEndpoint, type Content, Document, Reply, requiredPermissions } from './declaration/endpoint.ts';
import type { Identification, KeyPrincipal, Principal, SignedInPrincipal } from './declaration/principal.ts';
import {
  claimKey,
  type IdempotencyKey,
  readIdempotencyKey,
  releaseKey,
  type StoredResponse,
  storeResponse,
} from './idempotency/idempotency.ts';

export type Response = {
  status: number;
  body: Content;
  headers?: Readonly<Record<string, string>>;
  mediaType?: string;
  fileName?: string | undefined;
};
type Input = Parameters<NonNullable<AnyEndpoint['handle']>>[1] & { actor: Principal };
type RawRequest = { url: string; rawBody: Buffer; idempotencyKey: unknown; isPathMissing: boolean };
type Written = { response: Response; isReplayed: boolean };

/** Runs a writing endpoint and resolves after its commit. An error that an endpoint returns is thrown after the commit too. */
export function createWriter(
  endpoint: AnyEndpoint,
  ctx: Context,
  identification: Identification,
): (input: Input, request: RawRequest) => Promise<Written> {
  const addToBatch = endpoint.together ? createProgramBatchers(endpoint, ctx, identification) : null;
  const codec = createStorageCodec(endpoint, ctx);
  return async (sent, { url, rawBody, idempotencyKey, isPathMissing }) => {
    const programContext = withCallerCheck(await toRequestContext(ctx, sent), sent.actor, endpoint, identification);
    const input = endpoint.prepare ? { ...sent, body: await endpoint.prepare(programContext, sent.body) } : sent;
    if (endpoint.outside) {
      return { response: shapeResponse(endpoint, await endpoint.outside(programContext, input)), isReplayed: false };
    }
    const caller = endpoint.hasSecretResponse ? `${sent.actor.kind}:${sent.actor.id}` : null;
    const request = { operation: endpoint.id, url, body: rawBody, caller };
    const key = endpoint.endsAccess ? null : readIdempotencyKey(idempotencyKey, request);
    if (key) return unwrap(await transact(programContext, (tx) => runIdempotent({ endpoint, tx, input, key, codec, isPathMissing })));
    const outcome = addToBatch
      ? shapeOutcome(endpoint, await addToBatch(input))
      : await transact(programContext, (tx) => runAlone(endpoint, tx, input));
    return { response: unwrap(outcome), isReplayed: false };
  };
}

function unwrap<T>(outcome: T | ApiError): T {
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}

type Idempotent = { endpoint: AnyEndpoint; tx: Tx; input: Input; key: IdempotencyKey; codec: StorageCodec; isPathMissing: boolean };

/** Returns the stored response of an earlier request with this key, or runs the request and stores its response. */
async function runIdempotent({ endpoint, tx, input, key, codec, isPathMissing }: Idempotent): Promise<Written | ApiError> {
  const first = await claimKey(tx, input.actor, key);
  if (first) return { response: toResponse(first, codec), isReplayed: true };
  if (isPathMissing) throw new NotFound();
  const outcome = await runAlone(endpoint, tx, input);
  if (outcome instanceof ApiError) {
    await releaseKey(tx, input.actor, key);
    return outcome;
  }
  const { status, body, mediaType = null, fileName = null } = outcome;
  if (typeof body !== 'string') throw new Error(`${endpoint.id} returns no text, which an Idempotency-Key can't repeat.`);
  await storeResponse(tx, input.actor, key, { status, body: codec.encode(body), mediaType, fileName });
  return { response: outcome, isReplayed: false };
}

function toResponse({ status, body, mediaType, fileName }: StoredResponse, codec: StorageCodec): Response {
  const response: Response = { status, body: codec.decode(body), fileName: fileName ?? undefined };
  return mediaType === null ? response : { ...response, mediaType };
}

/** The context of a request: its program's share of the connections and its clock, and where it came from. */
export async function toRequestContext(ctx: Context, { actor, caller }: Pick<Input, 'actor' | 'caller'>): Promise<Context> {
  const origin = { network: toNetwork(caller.ip), requestId: caller.requestId };
  return { ...(await toCallerContext(ctx, actor)), origin };
}

/** The context of a program's requests, whose queries use at most the program's share of the connections. */
async function toCallerContext(ctx: Context, actor: KeyPrincipal | SignedInPrincipal | null): Promise<Context> {
  if (!actor || !('programId' in actor)) return ctx;
  return toProgramRequest(ctx, actor.programId);
}

/** Builds the response. Only fields that `result` declares are included. */
export function shapeResponse(endpoint: AnyEndpoint, result: unknown): Response {
  const [usual] = endpoint.statuses;
  if (result instanceof Document) {
    const { content, mediaType, fileName, headers } = result;
    return { status: usual, body: content, mediaType, fileName, headers };
  }
  const { status, body, headers } = result instanceof Reply ? result : new Reply(usual, result);
  if (!endpoint.statuses.includes(status)) throw new Error(`${endpoint.id} does not declare status ${status}.`);
  return { status, headers, body: JSON.stringify(endpoint.result.parse(body)) };
}

type StorageCodec = { encode(body: string): string; decode(stored: string): string };

/** How a response is stored under its Idempotency-Key: encrypted if it contains a secret. */
function createStorageCodec({ id, hasSecretResponse }: AnyEndpoint, { vault }: Context): StorageCodec {
  if (!hasSecretResponse) return { encode: (body) => body, decode: (stored) => stored };
  const owner = `idempotency_keys:${id}`;
  return {
    encode: (body) => vault.encrypt(body, owner).toString('base64'),
    decode: (stored) => vault.decrypt(Buffer.from(stored, 'base64'), owner),
  };
}

async function runAlone(endpoint: AnyEndpoint, tx: Tx, input: Input): Promise<Response | ApiError> {
  if (endpoint.handle) return shapeOutcome(endpoint, await endpoint.handle(tx, input));
  const [outcome] = (await endpoint.together?.(tx, input.actor.programId, [input])) ?? [];
  return shapeOutcome(endpoint, outcome);
}

function shapeOutcome(endpoint: AnyEndpoint, outcome: unknown): Response | ApiError {
  return outcome instanceof ApiError ? outcome : shapeResponse(endpoint, outcome);
}

type Batch = { inputs: readonly Input[]; identification: Identification };

/** Runs a batch in one transaction. Inputs whose caller may no longer write result in an error; the others then run without them. */
async function runBatch(endpoint: AnyEndpoint, ctx: Context, { inputs, identification }: Batch): Promise<unknown[]> {
  const callers = inputs.map(({ actor }) => actor);
  const [first] = inputs;
  if (!first) return [];
  let errors: (ApiError | null)[] = [];
  const beforeWrite = async (tx: Tx) => {
    errors = await recheckCallers(tx, callers, { identification, required: requiredPermissions(endpoint) });
    if (errors.some((error) => error !== null)) throw new CallersChanged();
  };
  try {
    return await transact({ ...(await toCallerContext(ctx, first.actor)), beforeWrite }, async (tx) => {
      return (await endpoint.together?.(tx, first.actor.programId, inputs)) ?? [];
    });
  } catch (error) {
    if (!(error instanceof CallersChanged)) throw error;
    const admitted = await runBatch(endpoint, ctx, { inputs: inputs.filter((_, index) => errors[index] === null), identification });
    const next = admitted.values();
    return errors.map((found) => found ?? next.next().value);
  }
}

/** Some callers of a batch may no longer write. */
class CallersChanged extends Error {}

const overloadError = () => new Unavailable('Too many requests for this program are waiting. Try again.');

/** Concurrent batches across programs. A higher limit only makes batches smaller. */
const maxBatches = 8;

/** One queue per program with one batch at a time: a program's ledger is locked while money moves, so a second batch would only wait. */
function createProgramBatchers(endpoint: AnyEndpoint, ctx: Context, identification: Identification): (input: Input) => Promise<unknown> {
  const { acquire } = createSemaphore({ concurrency: maxBatches, maxWaiting: Number.POSITIVE_INFINITY, overloadError });
  const queueOf = createByProgram(() =>
    createBatcher<Input, unknown>({
      concurrency: 1,
      maxBatch: 100,
      maxWaiting: 2000,
      admit: acquire,
      overloadError,
      failsAll: (error) => toApiError(error)?.status === 503,
      run: (inputs) => runBatch(endpoint, ctx, { inputs, identification }),
    }),
  );
  return (input) => queueOf(input.actor.programId)(input);
}
