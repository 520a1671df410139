// A webhook for the fuzz tests, with a delivery, and a valid request to each endpoint.
import assert from 'node:assert/strict';
import type { TestProgram, TestService } from '../harness.ts';

export type WebhookIds = {
  channel: string;
  deletedChannel: string;
  webhook: string;
  delivery: string;
  deleted: string;
  webhookGroup: string;
  alert: string;
  loggedRequest: string;
};
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

const url = 'https://hooks.example/tributary';
const aChannel = { name: '#affiliates', url, kinds: ['application'], locale: 'de' };

/** Nothing is delivered to it: tests run no dispatcher. */
export async function webhookSampleRows({ request, pool }: TestService, program: TestProgram, groupId = ''): Promise<WebhookIds> {
  const { key, path } = program;
  const create = async () => {
    const created = await request('POST', `${path}/webhooks`, { key, body: { url, eventTypes: ['*'] } });
    assert.equal(created.status, 201, created.text);
    return String(created.body.id);
  };
  const webhook = await create();
  const tested = await request('POST', `${path}/webhooks/${webhook}/test`, { key });
  assert.equal(tested.status, 201, tested.text);
  const [alert, loggedRequest] = [await anOpenAlert(pool, program), await aLoggedRequest(pool, program)];
  const createChannel = async () => {
    const created = await request('POST', `${path}/notification-channels`, { key, body: aChannel });
    assert.equal(created.status, 201, created.text);
    return String(created.body.id);
  };
  const [channel, deletedChannel] = [await createChannel(), await createChannel()];
  return {
    channel,
    deletedChannel,
    webhook,
    delivery: tested.body.id,
    deleted: await create(),
    webhookGroup: groupId,
    alert,
    loggedRequest,
  };
}

async function anOpenAlert(pool: TestService['pool'], { programId }: TestProgram): Promise<string> {
  const { rows } = await pool.query(
    `insert into alerts (program_id, id, kind, subject, reason, status, created_at, updated_at)
     values ($1, gen_random_uuid(), 'emails_failing', gen_random_uuid()::text, 'Rejected.', 'open', now(), now()) returning id`,
    [programId],
  );
  return rows[0].id;
}

/** A row of the request log, which is off in tests. */
async function aLoggedRequest(pool: TestService['pool'], { programId }: TestProgram): Promise<string> {
  const { rows } = await pool.query(
    `insert into logged_requests (program_id, id, request_id, api_key_id, operation, method, path, body, is_body_omitted, http_status,
       duration_ms, created_at)
     select program_id, gen_random_uuid(), 'order-1', id, 'conversions.report', 'POST', '/v1/conversions', '{"orderId":"FF-1"}', false, 201,
       9, now()
     from api_keys where program_id = $1 limit 1 returning id`,
    [programId],
  );
  return rows[0].id;
}

/** The same, by the path segment before the id. */
export async function webhookRows(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  const { channel, webhook, delivery, alert, loggedRequest } = await webhookSampleRows(service, program);
  return { 'notification-channels': channel, webhooks: webhook, deliveries: delivery, alerts: alert, requests: loggedRequest };
}

export function webhookSamples(
  serial: number,
  { channel, deletedChannel, webhook, delivery, deleted, webhookGroup, alert, loggedRequest }: WebhookIds,
): Record<string, Sample> {
  const at = { webhookId: webhook, id: delivery };
  return {
    'webhooks.create': [{}, { url, description: `W${serial}`, eventTypes: ['affiliate.*', 'payout.paid'], groupIds: [webhookGroup] }],
    'webhooks.get': [{ id: webhook }, undefined],
    'webhooks.update': [{ id: webhook }, { description: `W${serial}`, status: 'active', url, eventTypes: ['*'], groupIds: [] }],
    'webhooks.delete': [{ id: deleted }, undefined],
    'webhooks.rotateSecret': [{ id: webhook }, { overlapHours: 1 }],
    'webhooks.test': [{ id: webhook }, undefined],
    'webhooks.replay': [{ id: webhook }, { createdFrom: '2026-01-01T00:00:00Z', createdTo: '2026-12-31T00:00:00Z', isFailedOnly: false }],
    'notificationChannels.create': [{}, aChannel],
    'notificationChannels.get': [{ id: channel }, undefined],
    'notificationChannels.update': [{ id: channel }, { ...aChannel, name: `C${serial}`, status: 'active' }],
    'notificationChannels.delete': [{ id: deletedChannel }, undefined],
    'notificationChannels.test': [{ id: channel }, undefined],
    'alerts.get': [{ id: alert }, undefined],
    'requests.get': [{ id: loggedRequest }, undefined],
    'webhookDeliveries.list': [{ webhookId: webhook }, undefined],
    'webhookDeliveries.get': [at, undefined],
    'webhookDeliveries.redeliver': [at, undefined],
  };
}
