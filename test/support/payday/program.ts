// A program on its payday: 84 affiliates who can be paid through a simulated PayPal, some who can't, and two members.
import assert from 'node:assert/strict';
import { anAffiliate, anOrder, aRule } from '../builders.ts';
import type { TestMember, TestService } from '../harness.ts';
import { payPalSecrets } from '../rails/paypal.ts';

export const payees = 84;
export const withoutDetails = 3;

export type Payday = {
  /** The ids of the affiliates who are due, in the order of their amounts, the largest first. */
  affiliateIds: string[];
  totalCents: number;
  /** Prepares batches. */
  finn: TestMember;
  /** Approves them. */
  dana: TestMember;
};

/** Fills the program of the service, which takes a month of its clock. */
export async function preparePayday(service: TestService, payPalUrl: string): Promise<Payday> {
  const { program } = service;
  const send = async (method: string, path: string, body: object) => {
    const answer = await service.request(method, path, { body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const provider = { type: 'paypal', name: 'PayPal', config: { baseUrl: payPalUrl }, secrets: payPalSecrets, isDefault: true };
  await send('POST', `${program.path}/providers`, provider);
  await send('PATCH', program.path, { minimumPayoutCents: 2000, payoutApprovalCents: 10_000 });
  await aRule(service, { rate: 10 });
  const affiliateIds = [];
  for (let index = 0; index < payees + withoutDetails + 1; index += 1) {
    const name = { firstName: `Payee${String(index + 1).padStart(2, '0')}`, lastName: 'Rivers' };
    const { id } = await anAffiliate(service, { ...name, email: `payee${index + 1}@example.com`, status: 'active' });
    if (index < payees)
      await send('POST', `${program.path}/affiliates/${id}/payout-details`, { method: 'paypal', email: `pay${index}@mail.example` });
    // The last one stays below the minimum.
    const amountCents = index === payees + withoutDetails ? 5000 : 90_000 - index * 100;
    await anOrder(service, { affiliateId: id, orderId: `PD-${index + 1}`, amountCents });
    if (index < payees) affiliateIds.push(id);
  }
  service.clock.advance({ days: 31 });
  const totalCents = Array.from({ length: payees }, (_, index) => 9000 - index * 10).reduce((sum, cents) => sum + cents, 0);
  const [finn, dana] = [
    await service.asMember('finance', { name: 'Finn Okafor' }),
    await service.asMember('owner', { name: 'Dana Calder' }),
  ];
  return { affiliateIds, totalCents, finn, dana };
}

export function money(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** The payments in PayPal's own records that weren't returned, as the console writes them. */
export function summarizePaid(payments: readonly { state: string; amountCents: number }[]): { count: number; text: string } {
  const paid = payments.filter(({ state }) => state === 'paid');
  return { count: paid.length, text: `${paid.length} payouts, ${money(paid.reduce((sum, { amountCents }) => sum + amountCents, 0))}` };
}
