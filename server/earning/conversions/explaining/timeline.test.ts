// The timeline states what happened to a commission and what happens next, and nothing that can't happen any more.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildTimeline, type Recorded } from './timeline.ts';

const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const fresh: Recorded = {
  status: 'pending',
  amountCents: 500,
  reversedCents: 0,
  paidCents: 0,
  inTransitCents: 0,
  maturesAt: day(30),
  maturedAt: null,
  holds: [],
  sentAt: null,
  paidAt: null,
};
const steps = (...changes: Partial<Recorded>[]) => {
  const commissions = changes.map((change) => ({ ...fresh, ...change }));
  const built = buildTimeline(commissions, day(1), { at: day(9), reasons: ['refund'] });
  return built.map(({ step, state, startsAt, amountCents }) => `${step} ${state} ${startsAt?.slice(8, 10) ?? '-'} ${amountCents}`);
};

describe('the timeline of a commission', () => {
  test('waits for the end of its hold period', () =>
    assert.deepEqual(steps({}), ['earned done 01 500', 'pending current 01 500', 'ready upcoming 30 500', 'paid upcoming - 500']));

  test('is on hold since the first cause', () =>
    assert.deepEqual(steps({ status: 'held', holds: [{ cause: 'fraud_event', reason: 'fast_order', openedAt: day(2) }] }), [
      'earned done 01 500',
      'pending done 01 500',
      'held current 02 500',
      'ready upcoming 30 500',
      'paid upcoming - 500',
    ]));

  test('names the cause of each hold, and the kind of a fraud alert, as the console words them', () => {
    const holds = [
      { cause: 'dispute', reason: 'dispute opened', openedAt: day(2) },
      { cause: 'manual', reason: null, openedAt: day(3) },
      { cause: 'fraud_event', reason: 'fast_order', openedAt: day(4) },
    ];
    const built = buildTimeline([{ ...fresh, status: 'held', holds }], day(1), { at: null, reasons: [] });
    assert.deepEqual(built.find(({ step }) => step === 'held')?.reasons, ['dispute', 'manual', 'fast_order']);
  });

  test('is ready, in transit and paid at the times when it happened', () => {
    const matured = { status: 'approved', maturedAt: day(30) };
    assert.equal(steps(matured).at(-2), 'ready current 30 500');
    assert.deepEqual(steps({ ...matured, inTransitCents: 500, sentAt: day(12) }).slice(2), [
      'ready done 30 500',
      'in_transit current 12 500',
      'paid upcoming - 500',
    ]);
    assert.equal(steps({ ...matured, status: 'paid', paidCents: 500, paidAt: day(14) }).at(-1), 'paid done 14 500');
  });

  test('a part that was refunded flows back, and what is reversed in full is never ready', () => {
    assert.deepEqual(steps({ reversedCents: 200 }).at(-1), 'reversed done 09 200');
    assert.deepEqual(steps({ status: 'reversed', reversedCents: 500 }), ['earned done 01 500', 'reversed done 09 500']);
    assert.deepEqual(steps({ status: 'rejected', reversedCents: 500 }), ['earned done 01 500', 'rejected done 09 500']);
  });
});
