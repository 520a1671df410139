// A request for a sign-in email reveals nothing about the address: not in the response, and not in how long it takes.
// Times are compared as distributions of interleaved samples, so the test depends on no clock speed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findOrCreateUser } from '../../server/accounts/identity/users/user.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { openVisitor, type VisitedPage } from '../support/visitor.ts';

let service: TestService;

before(async () => {
  service = await openTestService();
  await transact(service.ctx, (tx) => findOrCreateUser(tx, { email: 'known@brand.example', name: 'Known' }));
  const { user } = await transact(service.ctx, (tx) => findOrCreateUser(tx, { email: 'disabled@brand.example', name: 'Disabled' }));
  await service.ctx.db.updateTable('users').set({ status: 'disabled' }).where('id', '=', user.id).execute();
});
after(() => service.close());

const addresses = { known: 'known@brand.example', unknown: 'unknown@brand.example', disabled: 'disabled@brand.example' };
type Kind = keyof typeof addresses;

/** Without what differs between any two requests: the request id and the random cookie. */
function withoutRandomness({ status, headers, text }: VisitedPage): unknown {
  const { 'x-request-id': _id, date: _date, ...rest } = headers;
  const cookie = String(rest['set-cookie']).replace(/=[\w-]{43}/, '=…');
  return { status, headers: { ...rest, 'set-cookie': cookie }, text };
}

const requests: Record<string, (kind: Kind) => Promise<VisitedPage>> = {
  form: (kind) => openVisitor(service.app).post('/sign-in', { email: addresses[kind] }),
  json: async (kind) => {
    const { status, headers, text } = await openVisitor(service.app).json('POST', '/app/sign-in', { email: addresses[kind] });
    return { status, headers, text };
  },
};

/** Requests an email, lets the job run, then enters a wrong code. */
async function enterWrongCode(kind: Kind): Promise<VisitedPage> {
  const visitor = openVisitor(service.app);
  await visitor.post('/sign-in', { email: addresses[kind] });
  await service.drain();
  return visitor.post('/sign-in/code', { code: '000000' });
}

describe('known and unknown addresses', () => {
  for (const [form, request] of Object.entries(requests)) {
    test(`get the same response to a ${form}: status, headers and body`, async () => {
      const known = withoutRandomness(await request('known'));
      assert.deepEqual(withoutRandomness(await request('unknown')), known);
      assert.deepEqual(withoutRandomness(await request('disabled')), known);
    });
  }

  test('get the same response to wrong codes, up to the eleventh and beyond', async () => {
    for (const kind of ['unknown', 'disabled'] as const) {
      service.clock.advance({ days: 2 });
      assert.deepEqual(withoutRandomness(await enterWrongCode(kind)), withoutRandomness(await enterWrongCode('known')));
    }
  });

  test('write the same rows, so that a wrong code costs the same', async () => {
    service.clock.advance({ days: 2 });
    const key = (kind: Kind) =>
      service.ctx.db.selectFrom('emailVerifications').selectAll().where('email', '=', addresses[kind]).orderBy('createdAt', 'desc');
    await enterWrongCode('known');
    await enterWrongCode('unknown');
    const [known, unknown] = [await key('known').executeTakeFirst(), await key('unknown').executeTakeFirst()];
    assert.deepEqual([known?.failedAttempts, unknown?.failedAttempts], [1, 1]);
    assert.equal(unknown?.codeHash?.length, known?.codeHash?.length);
    assert.equal(service.mails.filter(({ to }) => to === addresses.unknown).length, 0);
  });

  for (const [form, request] of Object.entries(requests)) {
    test(`can't be distinguished by the response time of a ${form}`, async () => {
      // Up to three rounds: a distribution that depends on the address differs in all of them.
      let rank = 0;
      let ratio = 0;
      for (let round = 0; round < 3; round += 1) {
        const times = await measure(request, 150);
        rank = probabilityOfSlower(times.known, times.unknown);
        ratio = median(times.known) / median(times.unknown);
        if (Math.abs(rank - 0.5) < 0.1 && ratio > 0.75 && ratio < 1.33) return;
      }
      assert.fail(`a known address takes longer with a probability of ${rank.toFixed(2)}; the ratio of the medians is ${ratio.toFixed(2)}`);
    });
  }

  test('would be noticed by this method if the work differed', async () => {
    const slower = async (kind: Kind) => {
      if (kind === 'known') await service.pool.query('select count(*) from pg_class, generate_series(1, 200)');
      return (requests.form as (kind: Kind) => Promise<VisitedPage>)(kind);
    };
    const times = await measure(slower, 60);
    assert.ok(probabilityOfSlower(times.known, times.unknown) > 0.6);
  });
});

/** Interleaved in random order, so that both kinds meet the same conditions. */
async function measure(request: (kind: Kind) => Promise<VisitedPage>, samples: number): Promise<{ known: number[]; unknown: number[] }> {
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let pair = 0; pair < samples; pair += 1) {
    const kinds = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of kinds) {
      const start = performance.now();
      await request(kind);
      times[kind].push(performance.now() - start);
    }
  }
  await service.drain();
  return times;
}

/** Mann-Whitney: the probability that a sample of the first is larger than one of the second; 0.5 for equal distributions. */
function probabilityOfSlower(first: readonly number[], second: readonly number[]): number {
  let wins = 0;
  for (const one of first) for (const other of second) wins += one > other ? 1 : one === other ? 0.5 : 0;
  return wins / (first.length * second.length);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
