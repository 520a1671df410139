// Every column that holds or decides money is changed once, directly in the database: `verify` finds it and names both values.
// The columns come from the catalog, so a new one needs a check or a reason.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, aGroup, anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer } from '../../../test/support/money/invoices.ts';
import { aPayee, aSender, closeSender, type Sender } from '../../../test/support/payees.ts';
import type { PaymentRecord } from '../../../test/support/rails/simulator.ts';
import { aStore } from '../../../test/support/stores/stores.ts';
import { checkProgram } from '../../earning/bounties/awarding/run.ts';
import { matureAll } from '../../earning/commissions/mature.ts';
import { copyFigures } from '../../partners/affiliates/totals/copy-figures.ts';
import { recordedTables } from '../../platform/db/recorded-values.ts';
import { buildTotalsOf } from '../../views/insights/build-totals.ts';
import { checkInvariants, type Finding } from './invariants.ts';

/** Columns that no check covers, with the reason. */
const exceptions: Record<string, string> = {
  'products.price_cents': 'Shown on pages; commissions are calculated from the amounts of orders.',
  'programs.large_order_cents': 'Decides only which orders members are notified of.',
  'provider_orders.facts': 'Signals and line ids of several store events, merged; an order and a refund store what was decided with them.',
  'products.compare_at_price_cents': 'Shown on pages only.',
  'job_outbox.data': 'Ids of what a job works on: it reads amounts when it runs.',
};

const documents = ['facts', 'decision', 'terms', 'rule', 'data'];

let service: TestService;
let sender: Sender;
before(async () => {
  service = await openTestService();
  sender = await aSender(service);
  await fill();
});
after(async () => {
  await closeSender(service, sender);
  await service.close();
});

const send = async (method: string, path: string, body: object = {}) => {
  const { program } = sender;
  const url = path.startsWith('/') ? path : `${program.path}/${path}`;
  const answer = await service.request(method, url, { key: program.key, body });
  assert.ok(answer.status < 300 || answer.status === 422, `${path}: ${answer.text}`);
  return answer.body;
};

/** At least one row in every table with money. */
async function fill(): Promise<void> {
  const { program, ada } = sender;
  await aRule(service, { rate: 10, budgetCents: 10_000_000, budgetPeriod: 'total' }, program);
  await aRule(service, { event: 'lead', type: 'flat', amountCents: 300 }, program);
  const groupId = await aGroup(service, 'Gold', program);
  await send('PATCH', `groups/${groupId}`, { holdDays: 10, minimumPayoutCents: 100 });
  const limits = { payoutApprovalCents: 1_000_000, scheduledPayoutLimitCents: 500_000, largeOrderCents: 100_000 };
  const { pendingChanges } = await send('PATCH', program.path, limits);
  const admin = await service.asMember('admin', { program });
  const approval = `${program.path}/setting-changes/${pendingChanges[0].id}/approve`;
  assert.equal((await admin.request('POST', approval, { body: {} })).status, 200);
  const bea = await anAffiliate(service, { status: 'active' }, program);
  for (const rate of [20, 30])
    await send('PATCH', `affiliates/${bea.id}`, { commissionOverrideType: 'percentage', commissionOverrideRate: rate });
  await aProduct(service, { compareAtPriceCents: 9_000_000 }, program);
  const coupon = await aCoupon(
    service,
    {
      affiliateId: ada.id,
      code: 'ADA',
      discountType: 'percentage',
      discountRate: 5,
      minOrderCents: 10,
      commissionType: 'percentage',
      commissionRate: 3,
    },
    program,
  );
  await send('PATCH', `coupons/${coupon.id}`, { commissionRate: 4 });
  await aCoupon(service, { affiliateId: ada.id, code: 'FLAT', discountType: 'flat', discountCents: 100 }, program);
  const extras = { discountCents: 10, taxCents: 20, shippingCents: 30, customer: { externalId: 'c' } };
  const [first, disputed, increased, moved] = await Promise.all(
    ['ADA', 'ADA', undefined, undefined].map((couponCode) =>
      anOrder(service, { affiliateId: couponCode ? undefined : ada.id, couponCode, amountCents: 100_000, ...extras }, program),
    ),
  );
  await send('POST', '/v1/refunds', { refundId: 're_1', orderId: first.orderId, amountCents: 5000 });
  await send('POST', '/v1/disputes', { disputeId: 'dp_1', orderId: disputed.orderId, status: 'opened', amountCents: 4000 });
  await refundConverted(ada.id);
  await send('POST', `conversions/${increased.id}/increase`, { increaseId: 'more', amountCents: 1000 });
  await send('POST', `conversions/${moved.id}/move`, { affiliateId: bea.id, note: 'Bea referred this customer' });
  await send('POST', '/v1/conversions', { orderId: 'lost', amountCents: 700, couponCode: 'NONE' });
  await send('POST', '/v1/leads', { externalId: 'lead', affiliateId: ada.id, customer: { externalId: 'l' } });
  await reportFromStore(ada.id);
  const bounty = { name: 'First', description: 'Sell once.', milestone: 'first_order', rewardCents: 500, budgetCents: 900 };
  await send('POST', 'bounties', bounty);
  await checkProgram(program.programId, service.ctx);
  await payOut();
  await copyFigures(service.ctx);
  await buildTotalsOf(service.ctx, program.programId);
  // Its sales are not in the figures yet.
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' }, program);
  await anOrder(service, { affiliateId, amountCents: 900 }, program);
}

/** An order in another currency, with a refund and a dispute. */
async function refundConverted(affiliateId: string): Promise<void> {
  await send('PATCH', sender.program.path, { exchangeRateSource: 'uploaded' });
  const quotedOn = service.ctx.clock.now().toISOString().slice(0, 10);
  await send('POST', 'exchange-rates', { rates: [{ currency: 'EUR', quotedOn, rate: '1.0842' }] });
  await send('POST', '/v1/conversions', { orderId: 'converted', affiliateId, amountCents: 9000, currency: 'EUR' });
  await send('POST', '/v1/refunds', { refundId: 're_2', orderId: 'converted', amountCents: 5000 });
  await send('POST', '/v1/disputes', { disputeId: 'dp_2', orderId: 'converted', status: 'opened', amountCents: 4000 });
}

async function payOut(): Promise<void> {
  const { program, rail, ada } = sender;
  await aPayee(service, program);
  await anInvoiceIssuer(service, program);
  await anInvoiceAgreement(service, { program, affiliateId: ada.id });
  service.clock.advance({ days: 31 });
  await matureAll(service.ctx);
  await choosePayoutCurrency();
  await send('POST', 'payouts/dispatch');
  await service.drain();
  const [payment] = rail.payments();
  assert.ok(payment);
  (rail.payments() as PaymentRecord[]).push({ ...payment, reference: 'ext_unknown', paymentId: service.ctx.ids.uuid() });
  await send('POST', 'payouts/reconcile');
}

/** Ada is paid in euros. */
async function choosePayoutCurrency(): Promise<void> {
  const { program, providerId, ada } = sender;
  await send('PATCH', program.path, { payoutCurrencies: ['EUR'] });
  await send('PATCH', `providers/${providerId}`, { currencies: ['USD', 'EUR'] });
  await send('PATCH', `affiliates/${ada.id}/payout-details`, { payoutCurrency: 'EUR' });
  const quotedOn = service.ctx.clock.now().toISOString().slice(0, 10);
  await send('POST', 'exchange-rates', { rates: [{ currency: 'EUR', quotedOn, rate: '1.0842' }] });
}

/** An order that a store reports. */
async function reportFromStore(affiliateId: string): Promise<void> {
  const store = await aStore(service, 'generic', sender.program);
  const body = { orderId: 'from-store', amountCents: 4200, affiliateId };
  assert.equal((await store.send({ id: 'ev-1', topic: 'order.paid', body })).status, 200);
  await service.drain();
}

type Column = { table: string; column: string; type: string };

/** Columns that hold money, or decide it. */
async function findColumns(): Promise<Column[]> {
  const { rows } = await service.pool.query<Column>(
    `select c.table_name as table, c.column_name as column,
       case c.data_type when 'ARRAY' then 'bigint[]' else c.data_type end as type
     from information_schema.columns as c join information_schema.tables as t using (table_schema, table_name)
     where table_schema = 'public' and t.table_type = 'BASE TABLE' and column_name <> 'recorded_values' and (
       column_name = 'cents' or column_name like '%\\_cents' or column_name like '%\\_percent'
       or (column_name ~ '(^|_)rate$' and data_type = 'numeric')
       or column_name in ('matures_at', 'hold_days') or (column_name = any($1) and data_type = 'jsonb'))
     order by 1, 2`,
    [documents],
  );
  return rows;
}

const changes: Record<string, readonly string[]> = {
  bigint: ['COLUMN + 1', 'COLUMN - 1'],
  integer: ['COLUMN + 1'],
  'bigint[]': ['array[COLUMN[1] + 1] || COLUMN[2:]'],
  numeric: ['COLUMN + 1', 'COLUMN - 1'],
  'timestamp with time zone': [`COLUMN + interval '1 day'`],
  jsonb: [`COLUMN || '{"amountCents": 1}'`],
};

/** Changes the row with the greatest value, checks everything, and restores the row. Null if no row has a value. */
async function tamper({ table, column, type }: Column): Promise<Finding[] | null> {
  const { rows } = await service.pool.query(
    `select ctid::text, "${column}"::text as value from ${table} where "${column}" is not null order by "${column}" desc, ctid limit 1`,
  );
  const [row] = rows;
  if (!row) return null;
  const ctid = await applyFirst(table, column, changes[type] ?? [], row.ctid);
  const findings = await checkInvariants(service.ctx);
  const restored = await service.pool.query(`update ${table} set "${column}" = $1::${type} where ctid = $2::tid`, [row.value, ctid]);
  assert.equal(restored.rowCount, 1);
  return findings.filter(({ broken }) => broken.length > 0);
}

/** The first change that the constraints of the table allow. */
async function applyFirst(table: string, column: string, options: readonly string[], ctid: string): Promise<string> {
  let failure: unknown = new Error(`no change is known for ${table}.${column}`);
  for (const option of options) {
    try {
      const change = option.replaceAll('COLUMN', `"${column}"`);
      const { rows } = await service.pool.query(`update ${table} set "${column}" = ${change} where ctid = $1::tid returning ctid::text`, [
        ctid,
      ]);
      return rows[0].ctid;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

const namesBoth = ({ broken }: Finding) =>
  broken.some((row) => {
    const { stored, expected } = row as { stored?: unknown; expected?: unknown };
    return stored !== undefined && expected !== undefined && JSON.stringify(stored) !== JSON.stringify(expected);
  });

describe('a changed amount, rate or date', () => {
  test('is found in every column, with both values', async () => {
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
    const columns = await findColumns();
    const faults: string[] = [];
    for (const column of columns) {
      const name = `${column.table}.${column.column}`;
      const findings = await tamper(column);
      if (findings === null) faults.push(`${name}: no row has a value`);
      else if (name in exceptions) faults.push(...(findings.length > 0 ? [`${name}: is found, and needs no exception`] : []));
      else if (findings.length === 0) faults.push(`${name}: not found`);
      else if (!findings.some(namesBoth))
        faults.push(`${name}: found without both values by ${findings.map((finding) => finding.name).join('; ')}`);
    }
    assert.deepEqual(faults, []);
    assert.ok(columns.length > 60);
  });

  test('is found in a row without recorded values, which every row must have', async () => {
    for (const table of Object.keys(recordedTables)) {
      const { rows } = await service.pool.query(`select ctid::text, recorded_values as copy from ${table} limit 1`);
      assert.ok(rows[0], `${table} has rows`);
      const { ctid, copy } = rows[0];
      await assert.rejects(
        service.pool.query(`update ${table} set recorded_values = null where ctid = $1::tid`, [ctid]),
        /not-null/,
        table,
      );
      const removed = await service.pool.query(`update ${table} set recorded_values = default where ctid = $1::tid returning ctid::text`, [
        ctid,
      ]);
      const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
      assert.deepEqual(
        broken.map(({ name }) => name),
        [`amounts, rates and dates of ${table} are those that were recorded`],
      );
      await service.pool.query(`update ${table} set recorded_values = $1 where ctid = $2::tid`, [copy, removed.rows[0].ctid]);
    }
  });

  test('leaves nothing behind: the rows are as before', async () => {
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });
});
