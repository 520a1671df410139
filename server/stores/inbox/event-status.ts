// The status of a stored event: open events are found and locked, and move to their next status, here.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Provider } from '../../connections/providers/provider.ts';
import type { Context, Tx } from '../../context.ts';
import type { ProviderEvents } from '../../platform/db/schema.gen.ts';
import { ActionOutcome } from '../commerce/apply-action.ts';

export const EventStatus = z.enum(['received', 'waiting', 'processed', 'ignored', 'failed']).meta({ id: 'ProviderEventStatus' });
export const EventErrorCode = z
  .enum(['order_not_found', 'exchange_rate_missing', 'unreadable', 'not_storable', 'internal_error'])
  .meta({ id: 'ProviderEventError' });

/** The outcome of an event; of several actions, the one that matters most. */
export const EventOutcome = ActionOutcome.partial()
  .extend({
    status: z.enum([...ActionOutcome.shape.status.options, 'applied', 'ignored']),
    actions: z.array(ActionOutcome).exactOptional().describe('The outcome of each action, if there are several.'),
  })
  .meta({ id: 'ProviderEventOutcome' });
type EventOutcome = z.input<typeof EventOutcome>;

type EventRow = Pick<Selectable<ProviderEvents>, 'id' | 'topic' | 'subject' | 'createdAt' | 'attempts'> & { payload: Buffer };
export type OpenEvent = { event: EventRow; provider: Provider };

/** An event that is not processed yet, with its provider. The body of such an event is never erased. */
export async function findOpenEvent(
  ctx: Pick<Context, 'db'>,
  programId: string,
  id: string,
  { lock = false } = {},
): Promise<OpenEvent | null> {
  const events = ctx.db
    .selectFrom('providerEvents')
    .select(['id', 'providerId', 'topic', 'subject', 'payload', 'createdAt', 'attempts'])
    .where('programId', '=', programId)
    .where('id', '=', id)
    .where('status', 'in', ['received', 'waiting'])
    .where('payload', 'is not', null)
    .$narrowType<{ payload: Buffer }>();
  const event = await (lock ? events.forUpdate() : events).executeTakeFirst();
  if (!event) return null;
  const providers = ctx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('id', '=', event.providerId);
  return { event, provider: await providers.executeTakeFirstOrThrow() };
}

/** Events whose order waits for an exchange rate, or failed because none arrived, unless their bodies were erased. Returns their ids. */
export async function wakeUnconverted(tx: Tx, programId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update provider_events set status = 'waiting', processed_at = null, next_attempt_at = ${tx.clock.now()}
    where program_id = ${programId} and payload is not null and status in ('waiting', 'failed') and error_code = 'exchange_rate_missing'
    returning id`.execute(tx.db);
  return rows.map(({ id }) => id).sort();
}

const withoutEffect: readonly string[] = ['stored', 'unchanged', 'duplicate'];

/** A new order matters most, otherwise the last action that had an effect. */
export function buildOutcome(outcomes: readonly ActionOutcome[]): EventOutcome {
  const main =
    outcomes.find(({ status }) => status === 'unattributed' || status === 'credited') ??
    outcomes.findLast(({ status }) => !withoutEffect.includes(status)) ??
    outcomes.at(-1);
  if (!main) throw new Error('An event without actions has no outcome.');
  return outcomes.length > 1 ? { ...main, actions: [...outcomes] } : main;
}

export type Fault = { errorCode: z.infer<typeof EventErrorCode>; error: string };
type Completion = { status: 'processed' | 'ignored'; outcome: EventOutcome } | ({ status: 'failed' } & Fault);

/** Ends the processing of an event. */
export async function completeEvent(tx: Tx, programId: string, id: string, completion: Completion): Promise<void> {
  const isFailed = completion.status === 'failed';
  await tx.db
    .updateTable('providerEvents')
    .set((row) => ({
      status: completion.status,
      outcome: isFailed ? null : JSON.stringify(EventOutcome.parse(completion.outcome)),
      errorCode: isFailed ? completion.errorCode : null,
      error: isFailed ? completion.error : null,
      nextAttemptAt: null,
      processedAt: tx.clock.now(),
      attempts: row('attempts', '+', 1),
    }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
}

const firstDelayMs = 60_000;
const longestDelayMs = 6 * 3_600_000;

/** Schedules the next attempt, with growing delays. */
export async function postponeEvent(tx: Tx, programId: string, { id, attempts }: EventRow, { errorCode, error }: Fault): Promise<void> {
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts, 20));
  await tx.db
    .updateTable('providerEvents')
    .set({ status: 'waiting', errorCode, error, attempts: attempts + 1, nextAttemptAt: new Date(tx.clock.now().getTime() + delayMs) })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
}

// Attempts count too: events of a disabled provider are old before their first attempt.
const attemptLimit = { ms: 3 * 86_400_000, attempts: 5 };

export function isLastAttempt({ clock }: Tx, { createdAt, attempts }: EventRow): boolean {
  return clock.now().getTime() - createdAt.getTime() >= attemptLimit.ms && attempts + 1 >= attemptLimit.attempts;
}

/** Events of any of these references that waited, failed because their order never arrived, or were unattributed, unless their bodies were erased. Returns their ids. */
export async function wakeEvents(
  tx: Tx,
  { programId, id: providerId }: Provider,
  references: readonly string[],
  exceptId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update provider_events as event set status = 'waiting', processed_at = null, next_attempt_at = ${tx.clock.now()}
    where program_id = ${programId} and provider_id = ${providerId} and id <> ${exceptId} and payload is not null
      and (subject = any(${[...references]}::text[]) or subject in (
        select other.reference from provider_orders as other
        where other.program_id = ${programId} and other.provider_id = ${providerId} and other.order_id = any(${[...references]}::text[])))
      and (status = 'waiting' or (status = 'failed' and error_code = 'order_not_found')
        or (status = 'processed' and outcome ->> 'status' = 'unattributed'))
    returning id`.execute(tx.db);
  return rows.map(({ id }) => id).sort();
}
