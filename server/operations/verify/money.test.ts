// Tampering with money as the owner of the database: every kind is found, and by the right check.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkProgram } from '../../earning/bounties/awarding/run.ts';
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
  await aRule(service, { event: 'lead', type: 'flat', amountCents: 300 });
  await aRule(service, { event: 'lead', type: 'flat', amountCents: 30, level: 2 });
  for (const externalId of ['kept', 'invented']) {
    const reported = await service.request('POST', '/v1/leads', { body: { externalId, affiliateId: id, customer: { externalId } } });
    assert.equal(reported.status, 201, reported.text);
    if (externalId === 'invented') await service.request('POST', `${service.program.path}/leads/${reported.body.id}/reject`, { body: {} });
  }
  await service.request('POST', '/v1/refunds', { body: { refundId: 'r1', orderId: 't-2', amountCents: 500 } });
  await service.request('POST', '/v1/refunds', { body: { refundId: 'r2', orderId: 't-3' } });
  await changeOrders(id, upline.id);
  const bounty = { name: 'First', description: 'Sell once.', milestone: 'first_order', rewardCents: 500 };
  assert.equal((await service.request('POST', `${service.program.path}/bounties`, { body: bounty })).status, 201);
  await checkProgram(service.program.programId, service.ctx);
  await anAffiliate(service);
});
after(() => service.close());

/** An order that is moved there and back, one that is increased, and one that is cancelled. */
async function changeOrders(affiliateId: string, otherId: string): Promise<void> {
  const change = async (orderId: string, action: string, body: object) => {
    const { id } = (await service.request('GET', `${service.program.path}/conversions?search=${orderId}`)).body.conversions[0];
    const changed = await service.request('POST', `${service.program.path}/conversions/${id}/${action}`, { body });
    assert.equal(changed.status, 200, changed.text);
    service.clock.advance({ seconds: 1 });
  };
  for (const orderId of ['moved', 'increased', 'cancelled']) await anOrder(service, { affiliateId, orderId, amountCents: 8000 });
  for (const to of [otherId, affiliateId]) await change('moved', 'move', { affiliateId: to, note: 'N' });
  await change('increased', 'increase', { increaseId: 'i-1', amountCents: 2000 });
  await change('cancelled', 'cancel', {});
}

/** The names of the invariants that `breaking` violates. Restores the data. */
async function findViolations(breaking: string): Promise<string[]> {
  const client = await service.pool.connect();
  const tables = [
    'ledger_entries',
    'ledger_heads',
    'ledger_balances',
    'commissions',
    'conversions',
    'conversion_summaries',
    'refunds',
    'refund_lines',
    'order_changes',
    'commission_events',
    'coupons',
    'customer_bindings',
    'leads',
    'customer_keys',
    'customers',
    'commission_rule_budgets',
    'bounties',
    'bounty_awards',
  ];
  try {
    for (const table of tables) await client.query(`create temporary table copy_${table} as table ${table}`);
    await client.query(breaking);
    const findings = await checkInvariants(service.ctx);
    await client.query(`begin; set local session_replication_role = replica`);
    for (const table of tables) await client.query(`delete from ${table}`);
    for (const table of tables) await client.query(`insert into ${table} select * from copy_${table}`);
    await client.query('commit');
    return findings.filter(({ broken }) => broken.length > 0).map(({ name }) => name);
  } finally {
    for (const table of tables) await client.query(`drop table if exists copy_${table}`);
    client.release();
  }
}

describe('tampering as the owner is found', () => {
  const chain = 'the hash chains of the ledger are intact to their ends';
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
      const names = await findViolations(sql);
      assert.ok(names.includes(chain), names.join('; '));
      assert.deepEqual(await findViolations('select 1'), []);
    });
  }

  test('the tail is cut and the head moved back: found by the recorded end and the balances', async () => {
    await sealLedgers(service.ctx);
    const names = await findViolations(`
      delete from ledger_entries where seq > (select max(seq) - 1 from ledger_entries);
      update ledger_heads as head set (seq, hash) = (select seq, hash from ledger_entries as e where e.program_id = head.program_id order by seq desc limit 1)
      where seq > 0`);
    assert.ok(!names.includes(chain), 'the chain does not show it');
    assert.ok(names.includes('every recorded end of a ledger is still in it'));
    assert.ok(names.includes('every balance equals the sum of its entries'));
  });
});

describe('a violation of an invariant is found by its own check', () => {
  const cases: [name: string, sql: string][] = [
    ['the accounts of a program', `update ledger_heads set commissions_cents = commissions_cents + 1`],
    ['every balance equals', `update ledger_balances set pending_cents = pending_cents + 1`],
    ['the accounts of an affiliate', `update commissions set settled_cents = 1 where reversed_cents = 0`],
    ['every commission has exactly one', `update commissions set amount_cents = amount_cents + 1 where reversed_cents = 0`],
    ['the reversal of a commission', `update commissions set refunded_cents = refunded_cents + 100 where refunded_cents between 1 and 700`],
    ['the reversal of a commission', `update commissions set flat_refunds = 'keep' where refunded_cents between 1 and 700`],
    ['a commission for free lines', `update commissions set reversed_cents = amount_cents where base_cents = 0`],
    ['exactly the fully reversed', `update commissions set status = 'approved' where status = 'reversed'`],
    ['the commissions of an order', `update conversions set cap_cents = 5`],
    [
      'the refunded amount of an order',
      `update conversions set refunded_cents = refunded_cents + 1 where refunded_cents between 1 and 600`,
    ],
    ['the summary of an order', `update conversion_summaries set status = 'held' where status = 'pending'`],
    ['the summary of an order', `update conversion_summaries set reversed_cents = reversed_cents + 1`],
    ['the summary of an order', `update conversion_summaries set product_ids = array[gen_random_uuid()]`],
    ['exactly the fully refunded orders', `update conversions set voided_at = null`],
    ['the order count of a customer', `update customer_keys set orders = orders + 1`],
    ['a customer is bound', `update customers set affiliate_id = null, bound_by = null, bound_at = null`],
    ['a customer is bound', `update customers set bound_by = 'member' where affiliate_id is not null`],
    ['a customer is bound', `delete from customer_bindings where affiliate_id is null`],
    ['the level-1 commission of a lead', `update leads set rejected_at = now()`],
    [
      'the level-1 commission of a lead',
      `update leads as l set affiliate_id = (select id from affiliates as a where a.program_id = l.program_id and a.id <> l.affiliate_id limit 1)`,
    ],
    ['the level-1 commission of a lead', `update leads set rejected_at = null`],
    ['a customer is bound by an order or lead', `update customer_bindings set affiliate_id = null where source = 'order'`],
    ['a customer is bound by an order or lead', `update customer_bindings set lead_id = null where source = 'lead'`],
    ['a customer is bound by an order or lead', `update leads set rejected_at = null`],
    [
      'no customer is bound by a rejected lead',
      `delete from customer_bindings where source = 'lead_rejected';
       update customers as customer set (changes, affiliate_id, bound_by, bound_method, bound_at) = (select step, affiliate_id, source, method, created_at
         from customer_bindings as binding where binding.customer_id = customer.id order by step desc limit 1)`,
    ],
    ['the explanation of a lead', `update leads set facts = jsonb_set(facts, '{affiliate,id}', '"x"')`],
    ['the explanation of a lead', `update leads set facts = jsonb_set(facts, '{upline}', 'null')`],
    ['the explanation of a lead', `update leads set decision = jsonb_set(decision, '{drafts}', '[]')`],
    ['the commissions of an order before a move', `update commissions set moved_at = moved_at + interval '1 ms'`],
    ['the commissions of an order before a move', `update commissions set reversed_cents = reversed_cents - 1 where moved_at is not null`],
    ['the commissions of an order before a move', `update commissions set status = 'reversed' where moved_at is not null`],
    [
      'the commissions of an order before a move',
      `delete from order_changes where id = (select max(id::text)::uuid from order_changes where kind = 'moved')`,
    ],
    [
      'an order belongs to the affiliate of its last move',
      `update order_changes set to_affiliate_id = from_affiliate_id where kind = 'moved'`,
    ],
    ['every move of an order', `update order_changes set from_affiliate_id = to_affiliate_id where kind = 'moved'`],
    [
      'every move of an order',
      `update order_changes as c set from_affiliate_id = (select id from affiliates as a where a.program_id = c.program_id
         and a.id not in (c.from_affiliate_id, c.to_affiliate_id) limit 1)
       where id = (select max(id::text)::uuid from order_changes where kind = 'moved')`,
    ],
    ['the amount of an order', `update order_changes set amount_cents = amount_cents + 1 where kind = 'increased'`],
    [
      'the amount of an order',
      `delete from order_changes where kind = 'increased';
      insert into order_changes (program_id, id, conversion_id, kind, amount_cents, actor_kind, actor_id, created_at)
      select program_id, gen_random_uuid(), id, 'cancelled', 0, 'command', 'x', now()
      from conversions where order_id = 'increased'`,
    ],
    ['the amount of an order', `update conversions set amount_cents = amount_cents + 1 where order_id = 'increased'`],
    ['a cancelled order', `update order_changes set amount_cents = amount_cents - 1 where kind = 'cancelled'`],
    ['a cancelled order', `update refunds set undone_at = now() where reason = 'cancelled'`],
    ['a cancelled order', `update conversions set refunded_cents = refunded_cents - 1 where order_id = 'cancelled'`],
    [
      'a cancelled order',
      `update commissions set reversed_cents = reversed_cents - 1 where conversion_id = (select id from conversions where order_id = 'cancelled')`,
    ],
    ['the explanation of a changed order', `update conversions set facts = jsonb_set(facts, '{affiliate,id}', '"x"')`],
    ['the explanation of a changed order', `update conversions set facts = jsonb_set(facts, '{upline}', 'null')`],
    ['the explanation of a changed order', `update conversions set decision = jsonb_set(decision, '{drafts,0,amountCents}', '1')`],
    ['the spent budget of a rule', `update commission_rule_budgets set spent_cents = spent_cents + 1`],
    ['the spent budget of a bounty', `update bounties set spent_cents = spent_cents - 1 where spent_cents > 0`],
    [
      'the bonus of a bounty',
      `update bounty_awards as award set affiliate_id = (select id from affiliates as a where a.id <> award.affiliate_id limit 1)`,
    ],
    ['the history of a commission', `update commission_events set to_status = 'held' where to_status = 'pending'`],
    [
      'every level-1 commission',
      `update conversions as v set affiliate_id = (select id from affiliates as a where a.program_id = v.program_id and a.id <> v.affiliate_id limit 1)`,
    ],
  ];
  for (const [name, sql] of cases) {
    test(name, async () => {
      const names = await findViolations(sql);
      assert.ok(
        names.some((found) => found.startsWith(name)),
        names.join('; '),
      );
    });
  }
});

test('the nightly check logs a violation as an alert, and records the end of an intact ledger once', async () => {
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
