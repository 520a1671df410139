// How a writing request commits: alone in one transaction, or together with others of its program
// where the endpoint allows it. Under an Idempotency-Key it is always alone. What calls outside systems commits step by step.
import type { Context, Tx } from '../../context.ts';
import { toApiError } from '../db/constraints.ts';
import { transact } from '../db/transact.ts';
import { createBatcher } from '../lib/concurrency/micro-batch.ts';
import { ApiError, Unauthenticated, Unavailable } from '../lib/errors.ts';
import { findActiveKeys, requireActiveKey } from './active-key.ts';
import { type AnyEndpoint, type Content, Document, type Principal, Reply } from './declaration/endpoint.ts';
import { claim, keepAnswer, readIdempotencyKey, release } from './idempotency/idempotency.ts';

export type Answer = { status: number; body: Content; mediaType?: string; fileName?: string | undefined };
type Parsed = Parameters<NonNullable<AnyEndpoint['handle']>>[1] & { actor: Principal };
type Origin = { url: string; rawBody: Buffer; idempotencyKey: unknown };
type Written = { answer: Answer; replayed: boolean };

/** Runs a writing endpoint and answers after its commit. Throws the refusal, whether or not something was kept with it. */
export function createWriter(endpoint: AnyEndpoint, ctx: Context): (input: Parsed, origin: Origin) => Promise<Written> {
  const join = endpoint.together ? gatherer(endpoint, ctx) : null;
  const kept = keepingOf(endpoint, ctx);
  return async (given, { url, rawBody, idempotencyKey }) => {
    const own: Context = { ...toProgramContext(ctx, given.actor), beforeWrite: (tx) => requireActiveKey(tx, given.actor) };
    const input = endpoint.prepare ? { ...given, body: await endpoint.prepare(own, given.body) } : given;
    if (endpoint.outside) return { answer: shape(endpoint, await endpoint.outside(own, input)), replayed: false };
    const key = readIdempotencyKey(idempotencyKey, { operation: endpoint.id, url, body: rawBody });
    if (join && !key) return { answer: answerOf(await join(input)), replayed: false };
    const written = await transact(own, async (tx): Promise<Written | ApiError> => {
      const first = key && (await claim(tx, input.actor, key));
      if (first) return { answer: { ...first, body: kept.open(first.body) }, replayed: true };
      const outcome = await runAlone(endpoint, tx, input);
      if (key && outcome instanceof ApiError) await release(tx, input.actor, key);
      else if (key && !(outcome instanceof ApiError))
        await keepAnswer(tx, input.actor, key, { status: outcome.status, body: kept.seal(String(outcome.body)) });
      return outcome instanceof ApiError ? outcome : { answer: outcome, replayed: false };
    });
    if (written instanceof ApiError) throw written;
    return written;
  };
}

/** The context of a program's request: its queries use only the program's share of the connections. */
export function toProgramContext(ctx: Context, actor: Principal | null): Context {
  return actor ? { ...ctx, db: ctx.programDb(actor.programId) } : ctx;
}

/** Only what `result` declares leaves the service. */
export function shape(endpoint: AnyEndpoint, result: unknown): Answer {
  const [usual] = endpoint.statuses;
  if (result instanceof Document) return { status: usual, body: result.content, mediaType: result.mediaType, fileName: result.fileName };
  const { status, body } = result instanceof Reply ? result : { status: usual, body: result };
  if (!endpoint.statuses.includes(status)) throw new Error(`${endpoint.id} does not declare status ${status}.`);
  return { status, body: JSON.stringify(endpoint.result.parse(body)) };
}

/** How an answer is kept for its repeats: as it is, or sealed where it holds a secret. */
function keepingOf({ id, hasSecretResponse }: AnyEndpoint, { vault }: Context): Record<'seal' | 'open', (body: string) => string> {
  if (!hasSecretResponse) return { seal: (body) => body, open: (body) => body };
  const owner = `idempotency_keys:${id}`;
  return {
    seal: (body) => vault.encrypt(body, owner).toString('base64'),
    open: (body) => vault.decrypt(Buffer.from(body, 'base64'), owner),
  };
}

async function runAlone(endpoint: AnyEndpoint, tx: Tx, input: Parsed): Promise<Answer | ApiError> {
  if (endpoint.handle) return shape(endpoint, await endpoint.handle(tx, input));
  const [outcome] = (await endpoint.together?.(tx, input.actor.programId, [input])) ?? [];
  return outcome instanceof ApiError ? outcome : shape(endpoint, outcome);
}

/** Runs the inputs whose keys are good by now; the others are refused in their places. */
async function runLive(endpoint: AnyEndpoint, tx: Tx, programId: string, inputs: readonly Parsed[]) {
  const live = await findActiveKeys(
    tx,
    inputs.map(({ actor }) => actor.id),
  );
  const isLive = ({ actor }: Parsed) => live.has(actor.id);
  const outcomes = inputs.some(isLive) ? ((await endpoint.together?.(tx, programId, inputs.filter(isLive))) ?? []) : [];
  const next = outcomes.values();
  return inputs.map((input) => (isLive(input) ? next.next().value : new Unauthenticated()));
}

function answerOf(outcome: Answer | ApiError): Answer {
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}

/** One queue per program, one batch of it under way: its ledger is locked while money moves, so a second would only wait. */
function gatherer(endpoint: AnyEndpoint, ctx: Context): (input: Parsed) => Promise<Answer | ApiError> {
  const queues = new Map<string, (input: Parsed) => Promise<Answer | ApiError>>();
  const open = (programId: string, own: Context) =>
    createBatcher<Parsed, Answer | ApiError>({
      concurrency: 1,
      maxBatch: 100,
      maxWaiting: 2000,
      overloadError: () => new Unavailable('too many requests of this program are waiting'),
      failsAll: (error) => toApiError(error)?.status === 503,
      async run(inputs) {
        const outcomes = await transact(own, (tx) => runLive(endpoint, tx, programId, inputs));
        return outcomes.map((outcome) => (outcome instanceof ApiError ? outcome : shape(endpoint, outcome)));
      },
    });
  return (input) => {
    const { programId } = input.actor;
    const queue = queues.get(programId) ?? open(programId, toProgramContext(ctx, input.actor));
    queues.set(programId, queue);
    return queue(input);
  };
}
