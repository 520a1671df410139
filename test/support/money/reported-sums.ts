// What a program's amounts add up to: computed from the lists of the public API, row by row.
import assert from 'node:assert/strict';
import type { TestProgram, TestService } from '../harness.ts';

type Row = Record<string, never> & { [name: string]: number };

export type ReportedSums = Awaited<ReturnType<typeof readSums>>;

/** The sums of a program, or of one of its affiliates. */
export async function readSums(service: TestService, program: TestProgram, affiliateId?: string) {
  const list = async (path: string, name: string): Promise<Row[]> => {
    const query = affiliateId === undefined ? '' : `&affiliateId=${affiliateId}`;
    const response = await service.request('GET', `${program.path}/${path}?limit=100${query}`, { key: program.key });
    assert.equal(response.status, 200, response.text);
    return response.body[name];
  };
  const [conversions, commissions, payouts] = [
    await list('conversions', 'conversions'),
    await list('commissions', 'commissions'),
    await list('payouts', 'payouts'),
  ];
  const balances = await readBalances(service, program, affiliateId);
  const add = (rows: readonly Row[], name: string) => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  const withStatus = (rows: readonly Row[], ...statuses: string[]) => rows.filter(({ status }) => statuses.includes(String(status)));
  const left = (rows: readonly Row[]) => add(rows, 'amountCents') - add(rows, 'reversedCents');
  const held = left(withStatus(commissions, 'held'));
  return {
    orders: add(conversions, 'amountCents'),
    refunded: add(conversions, 'refundedCents'),
    orderCommissions: add(conversions, 'commissionCents'),
    orderReversals: add(conversions, 'reversedCents'),
    sales: add(conversions, 'amountCents') - add(conversions, 'refundedCents'),
    commissions: add(commissions, 'amountCents'),
    reversed: add(commissions, 'reversedCents'),
    earned: left(commissions),
    held,
    pending: add(balances, 'pendingCents') - held,
    available: add(balances, 'availableCents'),
    inTransit: add(withStatus(payouts, 'queued', 'pending', 'sending'), 'amountCents'),
    paid: add(withStatus(payouts, 'paid'), 'amountCents'),
    payouts: add(payouts, 'amountCents'),
  };
}

async function readBalances(service: TestService, program: TestProgram, affiliateId?: string): Promise<Row[]> {
  const get = async (path: string) => (await service.request('GET', `${program.path}/${path}`, { key: program.key })).body;
  const ids =
    affiliateId === undefined ? (await get('affiliates?limit=100')).affiliates.map(({ id }: { id: string }) => id) : [affiliateId];
  return Promise.all(ids.map((id: string) => get(`affiliates/${id}/balance`)));
}
