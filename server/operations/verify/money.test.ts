// Tampering with money by the owner of the database: every kind is found, by the right check.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from './invariants.ts';
import { sealLedgers, watchInvariants } from './watch.ts';

let service: TestService;

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10, budgetCents: 1_000_000, budgetPeriod: 'total' });
  await aRule(service, { level: 2, rate: 2 });
  const upline = await anAffiliate(service, { status: 'active' });
  const { id } = await anAffiliate(service, { status: 'active', parentAffiliateId: upline.id });
  for (let order = 1; order <= 6; order += 1)
    await anOrder(service, { orderId: `t-${order}`, affiliateId: id, amountCents: 1000 * order + 7, customer: { externalId: 'c' } });
  const gift = await aProduct(service);
  await aRule(service, { type: 'flat', amountCents: 50, per: 'unit', productId: gift });
  await anOrder(service, { affiliateId: id, amountCents: 500, items: [{ productId: gift, amountCents: 0 }, { amountCents: 500 }] });
  await service.request('POST', '/v1/refunds', { body: { refundId: 'r1', orderId: 't-2', amountCents: 500 } });
  await service.request('POST', '/v1/refunds', { body: { refundId: 'r2', orderId: 't-3' } });
});
after(() => service.close());

/** Names of what is broken, after `breaking`; put back afterwards. */
async function foundBy(breaking: string): Promise<string[]> {
  const client = await service.pool.connect();
  const tables = [
    'ledger_entries',
    'ledger_heads',
    'ledger_balances',
    'commissions',
    'conversions',
    'refund_lines',
    'commission_events',
    'coupons',
    'customers',
    'commission_rule_budgets',
  ];
  try {
    for (const table of tables) await client.query(`create temporary table kept_${table} as table ${table}`);
    await client.query(breaking);
    const findings = await checkInvariants(service.ctx);
    await client.query(`begin; set local session_replication_role = replica`);
    for (const table of tables) await client.query(`delete from ${table}`);
    for (const table of tables) await client.query(`insert into ${table} select * from kept_${table}`);
    await client.query('commit');
    return findings.filter(({ broken }) => broken.length > 0).map(({ name }) => name);
  } finally {
    for (const table of tables) await client.query(`drop table if exists kept_${table}`);
    client.release();
  }
}

describe('tampering as the owner is found', () => {
  const chain = 'the hash chains of the ledger hold, to their ends';
  const cases: [what: string, sql: string][] = [
    ['a cent is changed', `update ledger_entries set cents = cents + 1 where seq = 3`],
    ['an entry is deleted', `delete from ledger_entries where seq = 4`],
    [
      'two entries are swapped',
      `update ledger_entries set seq = case seq when 2 then -3 else -2 end where seq in (2, 3);
       update ledger_entries set seq = -seq where seq < 0`,
    ],
    ['the tail is cut', `delete from ledger_entries where seq > (select max(seq) - 2 from ledger_entries)`],
    ['a time is changed', `update ledger_entries set created_at = created_at + interval '1 ms' where seq = 5`],
    ['the head is moved', `update ledger_heads set seq = seq - 1`],
  ];
  for (const [what, sql] of cases) {
    test(what, async () => {
      const names = await foundBy(sql);
      assert.ok(names.includes(chain), names.join('; '));
      assert.deepEqual(await foundBy('select 1'), []);
    });
  }

  test('the tail is cut and the head moved back: a seal and the commissions tell', async () => {
    await sealLedgers(service.ctx);
    const names = await foundBy(`
      delete from ledger_entries where seq > (select max(seq) - 1 from ledger_entries);
      update ledger_heads as head set (seq, hash) = (select seq, hash from ledger_entries as e where e.program_id = head.program_id order by seq desc limit 1)
      where seq > 0`);
    assert.ok(!names.includes(chain), 'the chain alone cannot tell');
    assert.ok(names.includes('every sealed end of a ledger is still in it'));
    assert.ok(names.includes('every balance is what its entries add up to'));
  });
});

describe('a break of an invariant is found by its own check', () => {
  const cases: [name: string, sql: string][] = [
    ['all accounts of a program', `update ledger_heads set commissions_cents = commissions_cents + 1`],
    ['every balance is what', `update ledger_balances set pending_cents = pending_cents + 1`],
    ["what an affiliate's accounts hold", `update commissions set settled_cents = 1 where reversed_cents = 0`],
    ['every commission was booked', `update commissions set amount_cents = amount_cents + 1 where reversed_cents = 0`],
    [
      'a commission is reversed by exactly',
      `update commissions set refunded_cents = refunded_cents + 100 where refunded_cents between 1 and 700`,
    ],
    ['a commission is reversed by exactly', `update commissions set flat_refunds = 'keep' where refunded_cents between 1 and 700`],
    ['a commission for free lines', `update commissions set reversed_cents = amount_cents where base_cents = 0`],
    ['a wholly reversed', `update commissions set status = 'approved' where status = 'reversed'`],
    ['all levels of an order', `update conversions set cap_cents = 5`],
    ['an order is refunded by', `update conversions set refunded_cents = refunded_cents + 1 where refunded_cents between 1 and 600`],
    ['an order does not count exactly', `update conversions set voided_at = null`],
    ['a customer has as many', `update customers set orders = orders + 1`],
    ['a budget has paid', `update commission_rule_budgets set spent_cents = spent_cents + 1`],
    ['the history of a commission', `update commission_events set to_status = 'held' where to_status = 'pending'`],
    [
      'nothing crosses',
      `update conversions as v set affiliate_id = (select id from affiliates as a where a.program_id = v.program_id and a.id <> v.affiliate_id limit 1)`,
    ],
  ];
  for (const [name, sql] of cases) {
    test(name, async () => {
      const names = await foundBy(sql);
      assert.ok(
        names.some((found) => found.startsWith(name)),
        names.join('; '),
      );
    });
  }
});

test('the nightly watch logs a break as an alert, and seals what is whole once', async () => {
  await watchInvariants.run(service.ctx, {}, { isLast: true });
  await watchInvariants.run(service.ctx, {}, { isLast: true });
  const { rows } = await service.pool.query(`select * from audit_log where action = 'ledger.sealed'`);
  assert.equal(rows.length, 1);
  assert.ok(!service.log.join('').includes('invariant_broken'));
  await service.pool.query(`update ledger_balances set pending_cents = pending_cents + 1`);
  await watchInvariants.run(service.ctx, {}, { isLast: true });
  await service.pool.query(`update ledger_balances set pending_cents = pending_cents - 1`);
  assert.ok(service.log.join('').includes('invariant_broken'));
});
