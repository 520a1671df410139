// Two programs on two PostgreSQL servers. One of them moves back and forth while its events are recorded, read by cursor
// and sent to a webhook: positions in the event log mean the same on every server, so no event is skipped or repeated.
// Longer: TEST_LENGTH=20 npm test -- test/embedded/moved-program.test.ts
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { openTestDatabase, type TestDatabase } from '../../scripts/test-database.ts';
import { defineEvent } from '../../server/messaging/events/define.ts';
import { recordEvents } from '../../server/messaging/events/record.ts';
import { deliverDue } from '../../server/messaging/webhooks/dispatch/dispatcher.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { openTestService, type TestProgram, type TestService } from '../support/harness.ts';
import { moveProgram } from '../support/moves/move-program.ts';
import { often } from '../support/time/length.ts';
import { until } from '../support/time/wait.ts';
import { ok, openWebhookReceiver, type WebhookReceiver } from '../support/webhooks/receiver.ts';

const groupChanged = defineEvent({ type: 'group.changed', object: 'group', data: z.object({ name: z.string() }), summary: 'Changed.' });

/** Between two moves. */
const eventsPerStay = often(40);
const moves = 10;
const writers = 4;

type Seen = { objectId: string; sequence: number };
const label = ({ objectId, sequence }: Seen): string => `${objectId} ${sequence}`;

/** A program that lives on one server at a time. Its requests wait while it moves. */
type Place = { program: TestProgram; service: TestService; recorded: number; running: number; move: Promise<void> | null };

async function openPlace(service: TestService, name: string): Promise<Place> {
  return { program: await service.newProgram(name), service, recorded: 0, running: 0, move: null };
}

async function at<Result>(place: Place, act: (service: TestService) => Promise<Result>): Promise<Result> {
  while (place.move) await place.move;
  place.running += 1;
  return act(place.service).finally(() => {
    place.running -= 1;
  });
}

async function moveTo(place: Place, target: TestService): Promise<void> {
  const moved = Promise.withResolvers<void>();
  place.move = moved.promise;
  await until('the requests of the program have ended', () => place.running === 0);
  await moveProgram(place.service.pool, target.pool, place.program.programId);
  place.service = target;
  place.move = null;
  moved.resolve();
}

async function record(place: Place, objects: readonly string[], count: number): Promise<void> {
  const origin = { programId: place.program.programId, actor: { kind: 'command' as const, id: 'test' } };
  const lane = async (writer: number) => {
    for (let index = writer; index < count; index += writers) {
      const objectId = objects[index % objects.length] ?? '';
      const event = groupChanged.of({ objectId, data: { name: `${writer}-${index}` } });
      await at(place, ({ ctx }) => transact(ctx, (tx) => recordEvents(tx, origin, [event])));
      place.recorded += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => lane(writer)));
}

/** Reads the log by cursor until `isComplete` holds and nothing follows. */
async function follow(place: Place, seen: Seen[], isComplete: () => boolean): Promise<void> {
  const { path, readKey: key } = place.program;
  for (let cursor = ''; ; ) {
    const isLast = isComplete();
    const { body, status, text } = await at(place, (service) =>
      service.request('GET', `${path}/events?type=group.changed&sort=createdAt&limit=7${cursor && `&cursor=${cursor}`}`, { key }),
    );
    assert.equal(status, 200, text);
    seen.push(...body.events.map(({ objectId, sequence }: Seen) => ({ objectId, sequence })));
    cursor = body.nextCursor ?? '';
    if (isLast && body.events.length === 0) return;
  }
}

async function expectedEvents({ service, program }: Place): Promise<string[]> {
  const { rows } = await service.pool.query<Seen>(
    `select object_id as "objectId", object_sequence as sequence from events where program_id = $1 and type = 'group.changed'`,
    [program.programId],
  );
  return rows.map(label).sort();
}

function requireOrder(seen: readonly Seen[]): void {
  for (const [objectId, events] of Map.groupBy(seen, (event) => event.objectId))
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, index) => index + 1),
      objectId,
    );
}

describe('a program that moves between two servers ten times', () => {
  let secondServer: TestDatabase;
  let services: [TestService, TestService];
  let receiver: WebhookReceiver;
  const delivered: Seen[] = [];

  before(async () => {
    const vaultKey = randomBytes(32);
    secondServer = await openTestDatabase();
    services = [await openTestService({ vaultKey }), await openTestService({ vaultKey, database: secondServer.connection })];
    receiver = await openWebhookReceiver();
    receiver.answer((request, response) => {
      const { objectId, sequence } = JSON.parse(request.body);
      delivered.push({ objectId, sequence });
      ok(request, response);
    });
    // No two servers have had the same number of transactions.
    await services[1].pool.query('do $$ begin for number in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$');
  });
  after(async () => {
    receiver.close();
    for (const service of services) await service.close();
    await secondServer.close();
  });

  test('has each event once in its log and at its webhook, in the order of each object', async () => {
    const [first, second] = services;
    const moving = await openPlace(first, 'Moving');
    const staying = await openPlace(second, 'Staying');
    const body = { url: receiver.url('/hook'), eventTypes: ['group.*'] };
    const { path, key } = moving.program;
    const created = await first.request('POST', `${path}/webhooks`, { body, key });
    assert.equal(created.status, 201, created.text);
    const objects = Array.from({ length: 6 }, () => first.ctx.ids.uuid());
    const seen: { moving: Seen[]; staying: Seen[] } = { moving: [], staying: [] };
    let isRecorded = false;
    const send = async () => {
      while (!isRecorded) await at(moving, ({ ctx }) => deliverDue(ctx));
    };
    const readers = [follow(moving, seen.moving, () => isRecorded), follow(staying, seen.staying, () => isRecorded), send()];
    for (let move = 1; move <= moves; move += 1) {
      const recording = [moving, staying].map((place) => record(place, objects, eventsPerStay));
      await until('half of the events are recorded', () => moving.recorded >= (move - 0.5) * eventsPerStay);
      await moveTo(moving, services[move % 2] ?? first);
      await Promise.all(recording);
    }
    isRecorded = true;
    await Promise.all(readers);
    await deliverDue(moving.service.ctx);
    for (const place of ['moving', 'staying'] as const) {
      requireOrder(seen[place]);
      assert.deepEqual(seen[place].map(label).sort(), await expectedEvents(place === 'moving' ? moving : staying));
    }
    assert.equal(seen.moving.length, moves * eventsPerStay);
    assert.deepEqual(delivered.map(label).sort(), await expectedEvents(moving));
  });
});
