// Working events off. An event that came before what it speaks of waits, and goes on as soon as that has come; the
// clock tries it again as well. After three days and a few tries it is given up, where somebody sees it; should what
// it speaks of come after all, it goes on.
import { sql } from 'kysely';
import { type Provider, recordProviderHealth } from '../../connections/providers/provider.ts';
import type { Context, Tx } from '../../context.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { applyProviderEvents } from '../../paying/payouts/send/apply-provider-events.ts';
import { isUnvalidatedInput } from '../../platform/db/constraints.ts';
import { transact } from '../../platform/db/transact.ts';
import { job } from '../../platform/queue/job.ts';
import { Unreadable } from '../commerce/act.ts';
import { type Handled, handleShopEvent, keepOrdersOf, railEventOf } from './handlers.ts';

// Tries count too: what lay in the inbox of a disabled provider is old before it was tried once.
const givenUpAfter = { ms: 3 * 86_400_000, tries: 5 };
const unstored = 'The event holds a value that cannot be stored.';
const neverCame = 'The order that it speaks of never came.';
const [firstPauseMs, longestPauseMs] = [60_000, 6 * 3_600_000];

export const processEvents = job<{ programId: string; eventIds: string[] }>({
  name: 'inbox.process',
  retries: 3,
  async run(ctx, { programId, eventIds }) {
    await workOff(ctx, programId, eventIds);
  },
});

/** Every minute: what is due again. */
export const retryEvents = job<object>({
  name: 'inbox.retry',
  retries: 1,
  cron: '* * * * *',
  async run(ctx) {
    const { rows } = await sql<{ programId: string; ids: string[] }>`
      select event.program_id, array_agg(event.id order by event.received_at, event.id) as ids from provider_events as event
      join providers as provider on provider.program_id = event.program_id and provider.id = event.provider_id
      where event.status in ('received', 'waiting') and event.next_try_at <= ${ctx.clock.now()} and provider.status not in ('disabled', 'archived')
      group by event.program_id limit 500`.execute(ctx.db);
    for (const { programId, ids } of rows) await workOff(ctx, programId, ids.slice(0, 1000));
  },
});

/** Every hour: events of orders that nobody was credited for, but somebody is by now, by a report or a claim. */
export const revisitEvents = job<object>({
  name: 'inbox.revisit',
  retries: 1,
  cron: '41 * * * *',
  async run(ctx) {
    const now = ctx.clock.now();
    await sql`
      update provider_events as event set status = 'waiting', done_at = null, next_try_at = ${now}
      from unattributed_orders as shadow
      join providers as provider on provider.program_id = shadow.program_id and provider.kind = 'commerce'
      join provider_orders as known
        on known.program_id = shadow.program_id and known.provider_id = provider.id and known.order_id = shadow.order_id
      where shadow.conversion_id is not null and shadow.updated_at >= ${new Date(now.getTime() - 86_400_000)}
        and event.program_id = shadow.program_id and event.provider_id = provider.id and event.subject = known.reference
        and event.status = 'done' and event.outcome ->> 'status' = 'unattributed'`.execute(ctx.db);
  },
});

/** Works these events off, and what waited for them. One that fails unexpectedly doesn't stop the others. */
async function workOff(ctx: Context, programId: string, eventIds: readonly string[]): Promise<void> {
  const queue = [...eventIds];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    try {
      queue.push(...(await processEvent(ctx, programId, id)));
    } catch (error) {
      if (!(error instanceof Unreadable)) ctx.log.error({ err: error, eventId: id }, 'failed to process an inbound event');
      const eventId = id;
      await transact(ctx, (tx) => failEvent(tx, programId, eventId, error));
    }
  }
}

type Found = {
  event: { id: string; topic: string; subject: string | null; payload: Buffer; receivedAt: Date; tries: number };
  provider: Provider;
};

/** Gives the events that can go on now. */
async function processEvent(ctx: Context, programId: string, id: string): Promise<string[]> {
  const found = await findOpen(ctx, programId, id);
  if (!found || ['disabled', 'archived'].includes(found.provider.status)) return [];
  const payload = ctx.vault.decrypt(found.event.payload, `provider_events:${id}`);
  if (found.provider.kind === 'payout') {
    await applyProviderEvents(ctx, found.provider, [railEventOf(payload)]);
    await transact(ctx, (tx) => finish(tx, programId, id, { status: 'done', outcome: { status: 'applied' } }));
    return [];
  }
  return transact(ctx, async (tx) => {
    // Before the event's row: whoever works off another event holds the ledger when it wakes this one.
    await openLedger(tx, programId);
    const open = await findOpen(tx, programId, id, { lock: true });
    if (!open) return [];
    const handled = await handleShopEvent(tx, open.provider, { topic: open.event.topic, payload });
    return settle(tx, open, handled);
  });
}

async function findOpen(ctx: Pick<Context, 'db'>, programId: string, id: string, { lock = false } = {}): Promise<Found | null> {
  const events = ctx.db
    .selectFrom('providerEvents')
    .select(['id', 'providerId', 'topic', 'subject', 'payload', 'receivedAt', 'tries'])
    .where('programId', '=', programId)
    .where('id', '=', id)
    .where('status', 'in', ['received', 'waiting']);
  const event = await (lock ? events.forUpdate() : events).executeTakeFirst();
  if (!event) return null;
  const providers = ctx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('id', '=', event.providerId);
  return { event, provider: await providers.executeTakeFirstOrThrow() };
}

async function settle(tx: Tx, { event, provider }: Found, handled: Handled): Promise<string[]> {
  const { programId } = provider;
  if ('ignored' in handled) {
    await finish(tx, programId, event.id, { status: 'ignored', outcome: { status: 'ignored', reason: handled.ignored } });
    return [];
  }
  const touched = handled.done.flatMap((one) => one.touched);
  const acts = handled.done.map(({ touched: _, ...shown }) => shown);
  const unknown = acts.find(({ status }) => status === 'unknown');
  if (unknown) await wait(tx, { event, provider }, handled.mayNeverCome);
  else {
    const deciding = acts.find(({ status }) => status === 'unattributed') ?? acts.at(-1);
    await finish(tx, programId, event.id, { status: 'done', outcome: { ...deciding, ...(acts.length > 1 && { acts }) } });
  }
  return touched.length === 0 ? [] : wake(tx, provider, touched, event.id);
}

type Ending = { status: 'done' | 'ignored' | 'failed'; outcome?: Record<string, unknown>; error?: string };

async function finish(tx: Tx, programId: string, id: string, { status, outcome, error = undefined }: Ending): Promise<void> {
  await tx.db
    .updateTable('providerEvents')
    .set((row) => ({
      ...{ status, outcome: outcome ? JSON.stringify(outcome) : null, error: error ?? null, nextTryAt: null, doneAt: tx.clock.now() },
      tries: row('tries', '+', 1),
    }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
}

async function wait(tx: Tx, { event, provider }: Found, mayNeverCome: boolean): Promise<void> {
  const { programId } = provider;
  if (!isLastTry(tx, event)) return later(tx, programId, event, 'The order that it speaks of has not come yet.');
  if (mayNeverCome)
    return finish(tx, programId, event.id, { status: 'ignored', outcome: { status: 'ignored', reason: 'there was no such order' } });
  await finish(tx, programId, event.id, { status: 'failed', error: neverCame });
  await recordProviderHealth(tx, provider, { status: 'needs_attention', lastError: `${event.topic}: ${neverCame}` });
}

function isLastTry({ clock }: Tx, { receivedAt, tries }: Found['event']): boolean {
  return clock.now().getTime() - receivedAt.getTime() >= givenUpAfter.ms && tries + 1 >= givenUpAfter.tries;
}

async function later(tx: Tx, programId: string, { id, tries }: Found['event'], error: string): Promise<void> {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries, 20));
  await tx.db
    .updateTable('providerEvents')
    .set({ status: 'waiting', error, tries: tries + 1, nextTryAt: new Date(tx.clock.now().getTime() + pause) })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
}

/** What waited for any of these names, also in vain, or had found nobody to credit, goes on. */
async function wake(tx: Tx, { programId, id: providerId }: Provider, names: readonly string[], except: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update provider_events as event set status = 'waiting', done_at = null, next_try_at = ${tx.clock.now()}
    where program_id = ${programId} and provider_id = ${providerId} and id <> ${except}
      and (subject = any(${[...names]}::text[]) or subject in (
        select other.reference from provider_orders as other
        where other.program_id = ${programId} and other.provider_id = ${providerId} and other.order_id = any(${[...names]}::text[])))
      and (status = 'waiting' or (status = 'failed' and error = ${neverCame}) or (status = 'done' and outcome ->> 'status' = 'unattributed'))
    returning id`.execute(tx.db);
  return rows.map(({ id }) => id).sort();
}

/** A value that the database refuses is refused at every try. */
function isPermanent(fault: unknown): boolean {
  return fault instanceof Unreadable || isUnvalidatedInput(fault);
}

/** An event that can't be followed fails at once; one that met a fault of ours is tried again first. */
async function failEvent(tx: Tx, programId: string, id: string, fault: unknown): Promise<void> {
  const open = await findOpen(tx, programId, id, { lock: true });
  if (!open) return;
  if (!isPermanent(fault) && !isLastTry(tx, open.event))
    return later(tx, programId, open.event, 'Something went wrong on our side. It is tried again.');
  const error =
    fault instanceof Unreadable ? fault.message : isPermanent(fault) ? unstored : 'Something went wrong on our side for three days.';
  await finish(tx, programId, id, { status: 'failed', error });
  const payload = () => tx.vault.decrypt(open.event.payload, `provider_events:${id}`);
  if (open.provider.kind === 'commerce') await keepOrdersOf(tx, open.provider, { topic: open.event.topic, payload: payload() });
  await recordProviderHealth(tx, open.provider, { status: 'needs_attention', lastError: `${open.event.topic}: ${error}` });
}
