// Processing stored events. An event that arrives before the order it refers to waits, and is processed again when the
// order arrives and on a schedule. After three days and several attempts it fails visibly; should the order arrive
// later, it is still processed.

import { sql } from 'kysely';
import { recordProblem } from '../../connections/providers/needs-attention.ts';
import type { RailEvent } from '../../connections/rails/rail.ts';
import { UnreadableEvent } from '../../connections/stores/store.ts';
import type { Context, Tx } from '../../context.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { applyProviderEvents } from '../../paying/payouts/send/apply-provider-events.ts';
import { isUnvalidatedInput } from '../../platform/db/constraints.ts';
import { transact } from '../../platform/db/transact.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import type { ActionOutcome } from '../commerce/apply-action.ts';
import {
  buildOutcome,
  completeEvent,
  type Fault,
  findOpenEvent,
  isLastAttempt,
  type OpenEvent,
  postponeEvent,
  wakeEvents,
  wakeUnconverted,
} from './event-status.ts';
import { applyStoreEvent, type ProcessedEvent, saveOrdersOfFailedEvent } from './store-event.ts';

export const processEvents = job<{ programId: string; eventIds: string[] }>({
  name: 'inbox.process',
  retries: 3,
  async run(ctx, { programId, eventIds }) {
    await processAll(ctx, programId, eventIds);
  },
});

/** Every minute: events whose next attempt is due. */
export const retryEvents = job<object>({
  name: 'inbox.retry',
  retries: 1,
  cron: '* * * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      find: (scope, now) => sql`
        select distinct program_id from provider_events
        where status in ('received', 'waiting') and next_attempt_at <= ${now} and ${scope}`,
      run: (programId, own) => processDueEvents(own, programId),
    });
  },
});

/** Processes the events of a program whose next attempt is due. */
export async function processDueEvents(ctx: Context, programId: string): Promise<void> {
  await processAll(ctx, programId, await findDueEvents(ctx, programId));
}

const eventsPerRun = 1000;

async function findDueEvents({ db, clock }: Context, programId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select event.id from provider_events as event
    join providers as provider on provider.program_id = ${programId} and provider.id = event.provider_id
    where event.program_id = ${programId} and event.status in ('received', 'waiting') and event.next_attempt_at <= ${clock.now()}
      and provider.status not in ('disabled', 'archived')
    order by event.created_at, event.id limit ${eventsPerRun}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Every hour: events of orders that were unattributed and have been credited since, by a report or a claim. */
export const reprocessUnattributedEvents = job<object>({
  name: 'inbox.reprocessUnattributed',
  retries: 1,
  cron: '41 * * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      find: (scope) => sql`select distinct program_id from providers where kind = 'commerce' and ${scope}`,
      run: (programId, own) => wakeCredited(own, programId),
    });
  },
});

export async function wakeCredited({ db, clock }: Context, programId: string): Promise<void> {
  const now = clock.now();
  await sql`
    update provider_events as event set status = 'waiting', processed_at = null, next_attempt_at = ${now}
    from unattributed_orders as unattributed
    join providers as provider on provider.program_id = ${programId} and provider.kind = 'commerce'
    join provider_orders as known
      on known.program_id = ${programId} and known.provider_id = provider.id and known.order_id = unattributed.order_id
    where unattributed.program_id = ${programId} and unattributed.conversion_id is not null
      and unattributed.updated_at >= ${new Date(now.getTime() - 86_400_000)}
      and event.program_id = ${programId} and event.provider_id = provider.id and event.subject = known.reference
      and event.status = 'processed' and event.payload is not null and event.outcome ->> 'status' = 'unattributed'`.execute(db);
}

/** Processes these events, and those that waited for them. An unexpected failure of one does not stop the others. */
async function processAll(ctx: Context, programId: string, eventIds: readonly string[]): Promise<void> {
  const queue = [...eventIds];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    try {
      queue.push(...(await processEvent(ctx, programId, id)));
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) ctx.log.error({ err: error, eventId: id }, 'failed to process an inbound event');
      const eventId = id;
      await transact(ctx, (tx) => handleFailure(tx, programId, eventId, error));
    }
  }
}

/** Processes an event, and returns the events that can be processed now. */
async function processEvent(ctx: Context, programId: string, id: string): Promise<string[]> {
  const found = await findOpenEvent(ctx, programId, id);
  if (!found || found.provider.status === 'disabled') return [];
  const payload = ctx.vault.decrypt(found.event.payload, `provider_events:${id}`);
  if (found.provider.kind === 'payout') {
    await applyProviderEvents(ctx, found.provider, [parseRailEvent(payload)]);
    await transact(ctx, (tx) => completeEvent(tx, programId, id, { status: 'processed', outcome: { status: 'applied' } }));
    return [];
  }
  return transact(ctx, async (tx) => {
    // The ledger before the event's row: a transaction that wakes this event holds the ledger.
    await openLedger(tx, programId);
    const open = await findOpenEvent(tx, programId, id, { lock: true });
    if (!open) return [];
    const processed = await applyStoreEvent(tx, open.provider, { topic: open.event.topic, payload });
    return recordResult(tx, open, processed);
  });
}

/** An event of a payout provider as it was stored. */
function parseRailEvent(payload: string): RailEvent {
  const event = JSON.parse(payload) as RailEvent & { at: string | null };
  return { ...event, at: event.at === null ? null : new Date(event.at) };
}

async function recordResult(tx: Tx, open: OpenEvent, processed: ProcessedEvent): Promise<string[]> {
  const { event, provider } = open;
  const { programId } = provider;
  if ('ignored' in processed) {
    await completeEvent(tx, programId, event.id, { status: 'ignored', outcome: { status: 'ignored', reason: processed.ignored } });
    return [];
  }
  const outcomes = processed.applied.map(({ outcome }) => outcome);
  const unconverted = outcomes.find(({ status }) => status === 'exchange_rate_missing');
  if (unconverted) await waitForRate(tx, open, unconverted);
  else if (outcomes.some(({ status }) => status === 'order_not_found')) await waitForOrder(tx, open, processed.isOptional);
  else await completeEvent(tx, programId, event.id, { status: 'processed', outcome: buildOutcome(outcomes) });
  const newReferences = processed.applied.flatMap((applied) => applied.newReferences);
  return newReferences.length === 0 ? [] : wakeEvents(tx, provider, newReferences, event.id);
}

async function waitForOrder(tx: Tx, { event, provider }: OpenEvent, isOptional: boolean): Promise<void> {
  const { programId } = provider;
  if (!isLastAttempt(tx, event))
    return postponeEvent(tx, programId, event, { errorCode: 'order_not_found', error: 'The order of this event has not arrived yet.' });
  if (isOptional)
    return completeEvent(tx, programId, event.id, { status: 'ignored', outcome: { status: 'ignored', reason: 'order_not_found' } });
  await failEvent(tx, { event, provider }, { errorCode: 'order_not_found', error: 'The order of this event never arrived.' });
}

/** An order waits for its exchange rate as long as an event waits for its order; a rate that is stored later still helps. */
async function waitForRate(tx: Tx, { event, provider }: OpenEvent, { orderId = '', reason = '' }: ActionOutcome): Promise<void> {
  const fault = { errorCode: 'exchange_rate_missing', error: `Order ${orderId} waits: ${reason}` } as const;
  if (isLastAttempt(tx, event)) await failEvent(tx, { event, provider }, fault);
  else await postponeEvent(tx, provider.programId, event, fault);
}

/** Ends an event that is not attempted again. Its provider needs attention. */
async function failEvent(tx: Tx, { event, provider }: OpenEvent, fault: Fault): Promise<void> {
  await completeEvent(tx, provider.programId, event.id, { status: 'failed', ...fault });
  await recordProblem(tx, provider, `${event.topic}: ${fault.error}`);
}

/** When exchange rates were stored. */
export const processUnconvertedEvents = job<{ programId: string }>({
  name: 'inbox.processUnconverted',
  retries: 3,
  async run(ctx, { programId }) {
    const eventIds = await transact(ctx, (tx) => wakeUnconverted(tx, programId));
    await processAll(ctx, programId, eventIds);
  },
});

/** An unreadable event fails immediately; after an internal error it is attempted again. */
async function handleFailure(tx: Tx, programId: string, id: string, error: unknown): Promise<void> {
  const open = await findOpenEvent(tx, programId, id, { lock: true });
  if (!open) return;
  const { event, provider } = open;
  const fault = describeFault(error);
  if (fault.errorCode === 'internal_error' && !isLastAttempt(tx, event))
    return postponeEvent(tx, programId, event, { ...fault, error: 'An internal error occurred. The event will be processed again.' });
  if (provider.kind === 'commerce') {
    const payload = tx.vault.decrypt(event.payload, `provider_events:${id}`);
    await saveOrdersOfFailedEvent(tx, provider, { topic: event.topic, payload });
  }
  await failEvent(tx, open, fault);
}

function describeFault(error: unknown) {
  if (error instanceof UnreadableEvent) return { errorCode: 'unreadable', error: error.message } as const;
  // A value that the database rejects is rejected at every attempt.
  if (isUnvalidatedInput(error)) return { errorCode: 'not_storable', error: "The event contains a value that can't be stored." } as const;
  return { errorCode: 'internal_error', error: 'Internal errors have occurred for three days.' } as const;
}
