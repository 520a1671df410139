// Transfers of Wise and the states that are not the end.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { paymentTo } from '../../test/rails/open-rail.ts';
import type { Payment } from './rail.ts';
import { paymentOf, stateAnswer } from './wise/transfer.ts';

const transferOf = ({ id }: Payment, number: number, status: string) => ({
  ...{ id: number, status, customerTransactionId: id, created: '2026-03-01 12:00:00' },
  ...{ sourceCurrency: 'USD', targetCurrency: 'USD', targetValue: 12.5 },
});

describe('a state of Wise', () => {
  test('is the end only where the money came back to us: what bounced is sent again', () => {
    const outcomeOf = (state: string) => stateAnswer(state, '1').outcome;
    assert.deepEqual(['bounced_back', 'funds_refunded', 'charged_back', 'processing'].map(outcomeOf), [
      'sent',
      'returned',
      'returned',
      'sent',
    ]);
    const payment = paymentTo({ method: 'wise', recipientId: '1' });
    assert.equal(paymentOf(transferOf(payment, 1, 'bounced_back'))?.state, 'sent');
  });
});
