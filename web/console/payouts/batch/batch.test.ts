// Which actions each payout offers, and when a batch is still moving.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionsOf, type Batch, countOf, isMoving, type PayoutStatusName, statusOrder } from './batch.ts';

const namesOf = (status: PayoutStatusName, batch: Pick<Batch, 'providerType' | 'status'>) =>
  Object.entries(actionsOf({ status }, batch)).flatMap(([name, isPossible]) => (isPossible ? [name] : []));

test('a payout whose outcome is unknown is checked, marked or cancelled, but never sent again', () => {
  const paypal = { providerType: 'paypal', status: 'processing' } as const;
  assert.deepEqual(namesOf('reconcile_required', paypal), ['canMarkPaid', 'canCancel', 'canCheck']);
  for (const status of statusOrder) {
    const actions = actionsOf({ status }, paypal);
    assert.equal(actions.canPayAgain, ['failed', 'returned', 'cancelled'].includes(status), status);
  }
  assert.deepEqual(namesOf('paid', paypal), []);
  assert.deepEqual(namesOf('sending', paypal), []);
});

test('manual payouts can be marked as paid, but not before the batch is approved', () => {
  assert.deepEqual(namesOf('queued', { providerType: 'csv', status: 'processing' }), ['canMarkPaid', 'canCancel']);
  assert.deepEqual(namesOf('queued', { providerType: 'csv', status: 'awaiting_approval' }), ['canCancel']);
});

test('a batch moves while a payout has no final outcome', () => {
  const statuses = [
    { status: 'paid' as const, payoutCount: 80, amountCents: 1 },
    { status: 'failed' as const, payoutCount: 4, amountCents: 1 },
  ];
  assert.equal(isMoving({ statuses } as Batch), false);
  assert.equal(countOf({ statuses }, 'paid', 'failed'), 84);
  assert.equal(isMoving({ statuses: [{ status: 'sent', payoutCount: 1, amountCents: 1 }] } as Batch), true);
});
