import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Award, type Facts, type Progress, planAwards } from './plan-awards.ts';

const reached = (affiliateId: string, minute: number): Progress => ({
  affiliateId,
  isActive: true,
  orders: 3,
  reachedAt: new Date(Date.UTC(2026, 3, 1, 12, minute)),
});
const short = (affiliateId: string): Progress => ({ affiliateId, isActive: true, orders: 2, reachedAt: null });
const award = (affiliateId: string, status: string): Award => ({ affiliateId, commissionId: `bonus-${affiliateId}`, status });

const plan = (facts: Partial<Facts>) => {
  const { reversed, restored, earned, isBudgetFreed } = planAwards({
    rewardCents: 100,
    leftCents: null,
    progress: [],
    awards: [],
    ...facts,
  });
  const ids = (awards: readonly Award[]) => awards.map(({ affiliateId }) => affiliateId);
  return { reversed: ids(reversed), restored: ids(restored), earned, isBudgetFreed };
};

const nothing = { reversed: [], restored: [], earned: [], isBudgetFreed: false };

describe('planning the bonuses of a bounty', () => {
  test('pays active affiliates who reached the milestone, once', () => {
    const progress = [reached('a', 1), short('b'), { ...reached('c', 2), isActive: false }, reached('d', 3)];
    assert.deepEqual(plan({ progress }), { ...nothing, earned: ['a', 'd'] });
    for (const status of ['pending', 'held', 'approved', 'paid', 'rejected'])
      assert.deepEqual(plan({ progress: [reached('a', 1)], awards: [award('a', status)] }), nothing, status);
  });

  test('reverses a bonus whose milestone was undone only while it is not payable', () => {
    for (const status of ['pending', 'held'])
      for (const progress of [[], [short('a')]])
        assert.deepEqual(plan({ progress, awards: [award('a', status)] }), { ...nothing, reversed: ['a'] }, status);
    for (const status of ['approved', 'paid', 'reversed', 'rejected'])
      assert.deepEqual(plan({ progress: [short('a')], awards: [award('a', status)] }), nothing, status);
  });

  test('restores a reversed bonus when the milestone is reached again, even if the affiliate is suspended', () => {
    const progress = [{ ...reached('a', 1), isActive: false }];
    assert.deepEqual(plan({ progress, awards: [award('a', 'reversed')] }), { ...nothing, restored: ['a'] });
  });

  test('pays those who reached the milestone first if the budget is not enough', () => {
    const progress = [reached('c', 3), reached('a', 1), reached('e', 2), reached('b', 2)];
    assert.deepEqual(plan({ progress, leftCents: 250 }).earned, ['a', 'b']);
    assert.deepEqual(plan({ progress, leftCents: 99 }), nothing);
    assert.deepEqual(plan({ progress, leftCents: 300, awards: [award('b', 'reversed')] }), {
      ...nothing,
      restored: ['b'],
      earned: ['a', 'e'],
    });
  });

  test('spends the budget that a reversal freed', () => {
    const facts = { progress: [reached('b', 2), reached('c', 3)], awards: [award('a', 'pending')], leftCents: 0 };
    assert.deepEqual(plan(facts), { reversed: ['a'], restored: [], earned: ['b'], isBudgetFreed: true });
  });
});
