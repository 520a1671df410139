// Requests with money are repeated with their Idempotency-Key, one after another and many at the same time: each returns its first
// response, and no row of any table changes. REPLAYS=10000 is the long form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../server/operations/demo/random.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { findChanged, readFingerprint } from '../support/fingerprint.ts';
import { openTestService } from '../support/harness.ts';
import { type Sent, sendMix, sendWithKey } from '../support/replays.ts';
import { givenSeed, often } from '../support/time/length.ts';

const replays = often(200);
const seed = givenSeed ?? 20_261_122;

test(`${replays} repeated requests have no second effect`, { timeout: 3_600_000 }, async () => {
  const service = await openTestService({ environment: { API_RATE_LIMIT: '10000000' } });
  try {
    const chance = createRandom(seed);
    const program = await service.newProgram('Replays');
    const sent = await sendMix({ service, program, chance }, Math.min(60, Math.max(6, Math.ceil(replays / 100))));
    const names = new Set(sent.map(({ key }) => key.split('-')[0]));
    assert.deepEqual([...names].sort(), ['adjust', 'bonus', 'cancel', 'dispatch', 'increase', 'move', 'order', 'paid', 'refund']);
    const before = await readFingerprint(service.pool);
    const replay = async ({ key, path, body, status, text }: Sent) => {
      const answer = await sendWithKey({ service, program }, { key, path, body });
      assert.deepEqual([answer.status, answer.text, answer.headers['idempotent-replayed']], [status, text, 'true'], key);
    };
    for (let done = 0; done < replays; ) {
      const isAtOnce = chance.happens(50);
      const some = Array.from({ length: isAtOnce ? Math.min(16, replays - done) : 1 }, () => chance.pick(sent));
      await Promise.all((isAtOnce && chance.happens(50) ? some.map(() => some[0] ?? assert.fail()) : some).map(replay));
      done += some.length;
    }
    assert.deepEqual(findChanged(before, await readFingerprint(service.pool)), []);
    const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
    assert.deepEqual(broken, []);
    console.log(`  ${replays} replays of ${sent.length} requests`);
  } finally {
    await service.close();
  }
});
