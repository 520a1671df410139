// Events are delivered to webhooks of which a fifth fail, hang or stream endlessly, while the processes that send them are
// killed, and so are leads to an affiliate's postbacks. Every healthy webhook receives every event, and every healthy
// postback every lead, less than one percent of them twice; every webhook's delivery is verified with
// the public library, and the order of events per object can be restored by their sequence.
// Longer: TEST_LENGTH=20 npm test -- test/kill/webhooks.test.ts
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { z } from 'zod';
import { leadCreated } from '../../server/earning/customers/events.ts';
import { leadExample } from '../../server/earning/customers/lead.ts';
import { defineEvent } from '../../server/messaging/events/define.ts';
import { recordEvents } from '../../server/messaging/events/record.ts';
import { largestShare } from '../../server/messaging/webhooks/dispatch/plan-claims.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { anAffiliate } from '../support/builders.ts';
import { cloneDatabase, openTestService, type TestService } from '../support/harness.ts';
import { isLong, often } from '../support/time/length.ts';
import { until } from '../support/time/wait.ts';
import { hang, ok, openWebhookReceiver, type Received, status, stream, type WebhookReceiver } from '../support/webhooks/receiver.ts';
import type { WorkerOptions } from '../support/webhooks/worker.ts';

const events = often(500);
const kills = isLong ? Math.ceil(events / 500) : 3;
/** One in five is not healthy. */
const bad = isLong ? 2 : 1;
const healthy = bad * 4;
const answers = [status(500), hang, stream];
/** Every fifth event comes with a lead. One of the affiliate's five postbacks is not healthy. */
const leads = Math.ceil(events / 5);
const postbacks = 4;
const objects = 50;
const vaultKey = randomBytes(32);

type Body = { id: string; objectId: string; sequence: number; data: { name: string } };
const groupChanged = defineEvent({ type: 'group.changed', object: 'group', data: z.object({ name: z.string() }), summary: 'Changed.' });

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let service: TestService;
let receiver: WebhookReceiver;
let worker: ChildProcess | null = null;
let affiliate: { id: string; email: string };
const secrets = new Map<string, string>();
/** Per healthy webhook, how often each event arrived, and its body. */
const arrived = new Map<string, Map<string, { count: number; body: Body }>>();
/** Per healthy postback, how often each event arrived. */
const called = new Map<string, Map<string, number>>();
let verified = 0;
let ofHealthy = 0;

before(async () => {
  database = await cloneDatabase();
  [service, receiver] = await Promise.all([openTestService({ database: database.connection, vaultKey }), openWebhookReceiver()]);
  // Deliveries are signed with the system's time, which the public library compares them with.
  for (const name of [
    ...Array.from({ length: healthy }, (_, n) => `/healthy-${n}`),
    ...Array.from({ length: bad }, (_, n) => `/bad-${n}`),
  ]) {
    const body = { url: receiver.url(name), eventTypes: ['group.*'] };
    const created = await service.request('POST', `${service.program.path}/webhooks`, { body });
    assert.equal(created.status, 201, created.text);
    secrets.set(name, created.body.secret);
    arrived.set(name, new Map());
  }
  await registerPostbacks();
  let badAnswers = 0;
  receiver.answer((request, response) => {
    receiver.received.length = 0;
    if (request.path.includes('postback')) notePostback(request);
    else note(request);
    if (request.path.startsWith('/healthy')) return ok(request, response);
    badAnswers += 1;
    return (answers[badAnswers % answers.length] ?? ok)(request, response);
  });
});

after(async () => {
  worker?.kill('SIGKILL');
  receiver.close();
  await service.close();
  await database.drop();
});

async function registerPostbacks(): Promise<void> {
  affiliate = await anAffiliate(service, { status: 'active' });
  const user = await service.asAffiliate(affiliate);
  for (const name of [...Array.from({ length: postbacks }, (_, n) => `/healthy-postback-${n}`), '/bad-postback']) {
    const body = { url: `${receiver.url(name)}?id={event_id}&event={event}`, method: 'GET', eventTypes: ['lead.created'] };
    const created = await user.request('POST', `/app/portal/${service.program.programId}/postbacks`, { body });
    assert.equal(created.status, 201, created.text);
    if (name.startsWith('/healthy')) called.set(name, new Map());
  }
}

function notePostback({ path }: Received): void {
  const { pathname, searchParams } = new URL(path, 'http://receiver');
  assert.equal(searchParams.get('event'), 'lead.created');
  const ids = called.get(pathname);
  const id = searchParams.get('id') ?? '';
  ids?.set(id, (ids.get(id) ?? 0) + 1);
  if (ids) ofHealthy += 1;
}

/** Verifies a delivery as its receiver does, and counts it. */
function note({ path, headers, body }: Received): void {
  const event = new Verifier(secrets.get(path) ?? '').verify(body, headers) as Body;
  verified += 1;
  if (!path.startsWith('/healthy')) return;
  ofHealthy += 1;
  const entry = arrived.get(path)?.get(event.id);
  if (entry) entry.count += 1;
  else arrived.get(path)?.set(event.id, { count: 1, body: event });
}

async function startWorker(): Promise<void> {
  const options: WorkerOptions = { connection: database.connection, vaultKey: vaultKey.toString('base64') };
  worker = spawn(process.execPath, ['test/support/webhooks/worker.ts', JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (worker.stdout) await once(worker.stdout, 'data');
}

/** Records the events in small transactions, some of them side by side. */
async function record(): Promise<void> {
  const ids = Array.from({ length: objects }, () => service.ctx.ids.uuid());
  const origin = { programId: service.program.programId, actor: { kind: 'command' as const, id: 'test' } };
  const lane = async (first: number) => {
    for (let number = first; number < events; number += 4) {
      const event = groupChanged.of({ objectId: ids[number % objects] ?? '', data: { name: `event ${number}` } });
      const lead = leadCreated.of({ objectId: service.ctx.ids.uuid(), affiliateId: affiliate.id, data: leadExample });
      await transact(service.ctx, (tx) => recordEvents(tx, origin, number % 5 === 0 ? [event, lead] : [event]));
    }
  };
  await Promise.all([0, 1, 2, 3].map(lane));
}

const isComplete = () =>
  [...called.values()].every((ids) => ids.size === leads) &&
  [...arrived].every(([name, found]) => !name.startsWith('/healthy') || found.size === events);

test('every healthy webhook and postback receives every event, whatever others do and however often processes are killed', async () => {
  const startedAt = Date.now();
  const recording = record();
  await startWorker();
  const total = events * healthy + leads * postbacks;
  let killed = 0;
  const killAtShare = async () => {
    if (killed < kills && ofHealthy > (total * (killed + 1)) / (kills + 1)) {
      killed += 1;
      worker?.kill('SIGKILL');
      await startWorker();
    }
    return isComplete();
  };
  await until(`all ${total} have arrived`, killAtShare, 60_000 + events * 400);
  await recording;
  const seconds = (Date.now() - startedAt) / 1000;
  const repeated = ofHealthy - total;
  process.stdout.write(
    `${events} events, ${healthy} healthy webhooks of ${healthy + bad}, ${leads} leads, ${postbacks} postbacks of 5, ${killed} kills: ${ofHealthy} deliveries in ${seconds.toFixed(0)} s, ` +
      `${repeated} repeated (${((100 * repeated) / total).toFixed(2)} %), ${verified} verified\n`,
  );
  assert.equal(killed, kills);
  // A kill repeats at most what was being sent. In the short form that can be more than one percent on a slow machine.
  const allowed = events / kills >= 500 ? total / 100 : kills * largestShare * (healthy + postbacks);
  assert.ok(repeated < allowed, `${repeated} of ${total} were repeated`);
  for (const [name, found] of arrived) if (name.startsWith('/healthy')) checkOrder([...found.values()].map(({ body }) => body));
});

/** The sequence numbers of an object have no gap, and restore the order in which its events were recorded. */
function checkOrder(bodies: Body[]): void {
  for (const [objectId, found] of Map.groupBy(bodies, (body) => body.objectId)) {
    const sequences = found.map(({ sequence }) => sequence).sort((a, b) => a - b);
    assert.deepEqual(
      sequences,
      sequences.map((_, index) => index + 1),
      objectId,
    );
  }
}
