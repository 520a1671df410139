// A delivery: one event for one webhook, with every attempt to send it.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import type { WebhookAttempts, WebhookDeliveries } from '../../../platform/db/schema.gen.ts';
import { countOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { markWork } from '../../../platform/queue/program-work.ts';

/** How long deliveries can be read. */
export const retentionDays = 30;

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed']).meta({ id: 'WebhookDeliveryStatus' });
export const AttemptOutcome = z
  .enum(['succeeded', 'rejected', 'timeout', 'unreachable', 'no_response', 'blocked', 'interrupted'])
  .meta({ id: 'WebhookAttemptOutcome' });
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

export const deliveryExample = {
  id: '01980c12-0a1b-7c2d-8e3f-405162738495',
  webhookId: '01980c11-5d2f-7a44-9e0b-3c6f1a2b7d85',
  eventId: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
  eventType: 'affiliate.created',
  status: 'delivered' as const,
  attemptCount: 1,
  responseStatus: 200,
  nextAttemptAt: null,
  lastAttemptAt: '2026-11-20T09:00:01.000Z',
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:01.000Z',
};

export const DeliveryShape = z
  .object({
    id: uuidOut,
    webhookId: uuidOut,
    eventId: uuidOut.describe('The header `webhook-id` of every attempt.'),
    eventType: z.string(),
    status: DeliveryStatus.describe(
      '`pending`: waiting for its first or next attempt. `failed`: ten attempts failed, or the address answered 410.',
    ),
    attemptCount: countOut,
    responseStatus: countOut.nullable().describe('Of the last attempt; null without a response.'),
    nextAttemptAt: timestampOut.nullable().describe('Null if no attempt is planned. Nothing is sent while the webhook is not active.'),
    lastAttemptAt: timestampOut.nullable(),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'WebhookDelivery', example: deliveryExample });

export const AttemptShape = z
  .object({
    number: countOut,
    outcome: AttemptOutcome.describe(
      '`rejected`: a status other than 2xx. `timeout`: no response within 12 seconds. `blocked`: the address is not public, and nothing ' +
        'was sent. `interrupted`: the service stopped in the meantime; the event was sent again.',
    ),
    durationMs: countOut,
    request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
    response: z
      .object({ status: countOut, headers: z.record(z.string(), z.string()), body: z.string().describe('The first 8,000 characters.') })
      .nullable(),
    createdAt: timestampOut,
  })
  .meta({
    id: 'WebhookAttempt',
    example: {
      number: 1,
      outcome: 'succeeded',
      durationMs: 84,
      request: {
        url: 'https://hooks.fernandfield.example/tributary',
        headers: {
          'content-type': 'application/json',
          'webhook-id': deliveryExample.eventId,
          'webhook-timestamp': '1795165200',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
      },
      response: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
      createdAt: '2026-11-20T09:00:01.000Z',
    },
  });

export const deliverySlot = idSlot('webhookDeliveries', 'The id of the delivery.');

export type Delivery = Selectable<WebhookDeliveries>;
export type Attempt = Selectable<WebhookAttempts>;

/** Deliveries that are being sent appear as pending. */
export function toDelivery(delivery: Delivery): z.input<typeof DeliveryShape> {
  const { id, webhookId, eventId, eventType, responseStatus } = delivery;
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id,
    webhookId,
    eventId,
    eventType,
    status: delivery.status === 'sending' ? 'pending' : DeliveryStatus.parse(delivery.status),
    attemptCount: delivery.attempts,
    responseStatus,
    nextAttemptAt: time(delivery.nextAttemptAt),
    lastAttemptAt: time(delivery.lastAttemptAt),
    createdAt: delivery.createdAt.toISOString(),
    updatedAt: delivery.updatedAt.toISOString(),
  };
}

const Headers = z.record(z.string(), z.string());

/** An attempt with the headers that were sent. They follow from the event, the time and the stored signature. */
export function toAttempt(attempt: Attempt, eventId: string): z.input<typeof AttemptShape> {
  const { number, durationMs, responseStatus } = attempt;
  const signed = attempt.signature === null ? {} : signedHeadersOf(eventId, attempt.createdAt, attempt.signature);
  const headers = { 'content-type': 'application/json', ...signed };
  const response = responseStatus !== null && {
    status: responseStatus,
    headers: Headers.parse(attempt.responseHeaders ?? {}),
    body: attempt.responseBody ?? '',
  };
  return {
    number,
    outcome: AttemptOutcome.parse(attempt.outcome),
    durationMs,
    request: { url: attempt.url, headers },
    response: response || null,
    createdAt: attempt.createdAt.toISOString(),
  };
}

function signedHeadersOf(eventId: string, at: Date, signature: string): Record<string, string> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  };
}

/** Marks the programs of pending deliveries for the processes that send them, at the time of the first attempt, or now. */
export async function markDeliveries(tx: Tx, pending: readonly { programId: string; nextAttemptAt?: Date | null }[]): Promise<void> {
  const now = tx.clock.now();
  const byProgram = Map.groupBy(pending, ({ programId }) => programId);
  // In one order, so that two transactions don't wait for each other.
  for (const [programId, deliveries] of [...byProgram].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const times = deliveries.map(({ nextAttemptAt }) => (nextAttemptAt ?? now).getTime());
    await markWork(tx, { programId, kind: 'deliveries', dueAt: new Date(Math.min(...times)) });
  }
}

type Requested = { programId: string; webhookId: string; events: readonly { id: string; type: string }[] };

/** Adds deliveries of these events that are due now. Those that exist are sent again if `again` is set. Returns how many are due. */
export function requestDeliveries(tx: Tx, { programId, webhookId, events }: Requested, options: { again: boolean }): Promise<number> {
  const wanted = events.map(({ id: eventId, type: eventType }) => ({ webhookId, eventId, eventType }));
  return addDeliveries(tx, programId, wanted, options);
}

type Wanted = { webhookId: string; eventId: string; eventType: string };

/** Like `requestDeliveries`, for several webhooks of a program. */
export async function addDeliveries(tx: Tx, programId: string, wanted: readonly Wanted[], { again }: { again: boolean }): Promise<number> {
  if (wanted.length === 0) return 0;
  const { db, ids, clock } = tx;
  const now = clock.now();
  const onConflict = again
    ? sql`do update set status = 'pending', tries = 0, next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at
        where delivery.status <> 'sending'`
    : sql`do nothing`;
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries as delivery
      (program_id, id, webhook_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select ${programId}, id, webhook_id, event_id, event_type, 'pending', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${wanted.map(() => ids.uuid())}::uuid[], ${wanted.map(({ webhookId }) => webhookId)}::uuid[],
      ${wanted.map(({ eventId }) => eventId)}::uuid[], ${wanted.map(({ eventType }) => eventType)}::text[])
      as requested (id, webhook_id, event_id, event_type)
    on conflict on constraint webhook_deliveries_once ${onConflict}`.execute(db);
  if (numAffectedRows) await markDeliveries(tx, [{ programId }]);
  return Number(numAffectedRows ?? 0);
}
