import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { importHistory } from './import-history.ts';
import { csv } from './sources/csv.ts';

let service: TestService;
let folder: string;
before(async () => {
  service = await openTestService();
  folder = await mkdtemp(join(tmpdir(), 'tributary-moving-'));
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const actor = { kind: 'command' as const, id: 'test' };

/** Writes the files into a new folder. */
async function write(files: Record<string, string>): Promise<string> {
  const path = await mkdtemp(join(folder, 'files-'));
  await mkdir(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return path;
}

const run = async (files: Record<string, string>, { programId = service.program.programId, isDryRun = false } = {}) =>
  importHistory(service.ctx, { programId, source: csv, paths: [await write(files)], actor, isDryRun });

/** An affiliate with one commission in each state. */
const states = {
  'affiliates.csv':
    'id,email,name,status,createdAt\na1,ada@moving.test,Ada Lovelace,active,2024-02-01\na2,ben@moving.test,Ben,suspended,2024-02-01\n',
  'links.csv': 'affiliate,slug\na1,ada\na1,ada-2\na2,x\n',
  'customers.csv': 'customerId,email,affiliate\nc1,buyer@shop.test,a1\n',
  'orders.csv':
    'orderId,affiliate,amount,currency,occurredAt,customerId,refunded\n' +
    'o1,a1,100.00,USD,2024-03-01T10:00:00Z,c1,0\no2,a1,50.00,USD,2024-03-02T10:00:00Z,,\no3,a1,20.00,USD,2024-03-03T10:00:00Z,,\n' +
    'o4,a1,30.00,USD,2024-03-03T11:00:00Z,,30.00\no5,ben@moving.test,40.00,USD,2024-03-04T10:00:00Z,,10.00\no6,a1,10.00,USD,2026-02-20T10:00:00Z,,\n',
  'commissions.csv':
    'commissionId,affiliate,orderId,amount,status,createdAt,maturesAt,paidAt,payoutId,note\n' +
    'k1,a1,o1,10.01,paid,2024-03-01T10:00:00Z,2024-03-31T10:00:00Z,2024-04-01,p1,\nk1b,a2,o1,1.00,approved,2024-03-01T10:00:00Z,,,,\n' +
    'k2,a1,o2,5.00,approved,2024-03-02T10:00:00Z,2024-04-01T10:00:00Z,,,\nk3,a1,o3,2.00,held,2024-03-03T10:00:00Z,,,,\n' +
    'k4,a1,o4,3.00,rejected,2024-03-03T11:00:00Z,,,,\nk5,a2,o5,3.33,paid,2024-03-04T10:00:00Z,,2024-05-01,,\n' +
    'k6,a1,o6,1.00,pending,2026-02-20T10:00:00Z,,,,\nk7,a1,,7.00,approved,2024-06-01,,,,Welcome bonus\nk8,a1,,-2.00,paid,2024-03-05,,2024-04-01,p1,Chargeback\n',
  'payouts.csv': 'payoutId,affiliate,amount,paidAt,reference\np1,a1,8.01,2024-04-01T12:00:00Z,PayPal 77\n',
};

const balancesOf = async (email: string, programId: string) => {
  const { rows } = await service.pool.query(
    `select pending_cents, available_cents, in_transit_cents, paid_cents from ledger_balances as balance
     join affiliates as affiliate on affiliate.program_id = balance.program_id and affiliate.id = balance.affiliate_id
     where affiliate.email = $1 and balance.program_id = $2`,
    [email, programId],
  );
  return Object.values(rows[0] ?? {}).map(Number);
};

describe('importing the history of another system', () => {
  test('a dry run says what would happen and writes nothing', async () => {
    const before = await service.pool.query('select count(*)::int as n from affiliates');
    const result = await run(states, { isDryRun: true });
    assert.deepEqual(result.rejections, [
      {
        file: 'links.csv',
        row: 4,
        column: 'slug',
        reason: "x can't be a short link: it must be 3 to 64 letters a–z, numbers and inner hyphens",
      },
    ]);
    assert.deepEqual([result.counts.order.taken, result.counts.commission.taken, result.counts.payout.taken], [6, 9, 1]);
    assert.deepEqual(result.proof.differences, []);
    assert.deepEqual((await service.pool.query('select count(*)::int as n from affiliates')).rows, before.rows);
    assert.equal((await service.pool.query('select from imports')).rowCount, 0);
  });

  test('keeps every amount and state, at the time when it happened, and announces nothing', async () => {
    const { programId, path } = service.program;
    const result = await run(states);
    assert.deepEqual(result.proof.differences, []);
    assert.equal(result.hasChanged, true);
    assert.deepEqual(await balancesOf('ada@moving.test', programId), [300, 1200, 0, 801]);
    assert.deepEqual(await balancesOf('ben@moving.test', programId), [0, 100, 0, 333]);
    const { body } = await service.request('GET', `${path}/conversions`);
    const order = body.conversions.find(({ orderId }: { orderId: string }) => orderId === 'o1');
    assert.deepEqual(
      [order.status, order.commissions[0].status, order.commissions[0].source],
      ['approved', 'paid', 'imported'],
      JSON.stringify(order),
    );
    const statement = await service.request('GET', `${path}/affiliates/${order.affiliateId}/statement?month=2024-04`);
    assert.deepEqual(
      [statement.body.openingCents, statement.body.paidCents, statement.body.closingCents],
      [1501, 801, 700],
      statement.text,
    );
    const explanation = await service.request('GET', `${path}/conversions/${order.id}/explanation`);
    assert.match(explanation.body.sentences.join(' '), /by the system that the program used before/);
    await service.drain();
    assert.deepEqual((await service.pool.query('select type from events')).rows, []);
    assert.deepEqual((await service.pool.query('select kind from emails')).rows, []);
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });

  test('imported a second time, changes nothing', async () => {
    const counted = `select (select max(seq) from ledger_entries) as seq, (select count(*) from audit_log) as audit, (select count(*) from payouts) as payouts,
      (select max(updated_at) from commissions) as changed, (select count(*) from short_links) as links`;
    const before = await service.pool.query(counted);
    const result = await run(states);
    assert.equal(result.hasChanged, false);
    assert.deepEqual(result.proof.differences, []);
    assert.deepEqual((await service.pool.query(counted)).rows, before.rows);
  });
});

test('a newer export adds what happened since: what was approved, paid or rejected there is here, too', async () => {
  const { programId } = await service.newProgram('Still in use');
  const affiliates = 'id,email,name\nn1,new@moving.test,New\n';
  const orders = (rows: string) => `orderId,affiliate,amount,occurredAt\n${rows}`;
  const commissions = (rows: string) => `commissionId,affiliate,orderId,amount,status,createdAt,maturesAt,paidAt\n${rows}`;
  const first = {
    'affiliates.csv': affiliates,
    'orders.csv': orders('n-1,n1,10.00,2026-01-01\nn-2,n1,20.00,2026-01-02\nn-3,n1,30.00,2026-01-03\n'),
    'commissions.csv': commissions(
      'c1,n1,n-1,1.00,pending,2026-01-01,2026-06-01,\nc2,n1,n-2,2.00,held,2026-01-02,,\nc3,n1,n-3,3.00,approved,2026-01-03,,\n',
    ),
  };
  await run(first, { programId });
  assert.deepEqual(await balancesOf('new@moving.test', programId), [300, 300, 0, 0]);
  const second = await run(
    {
      'affiliates.csv': affiliates,
      'orders.csv': `${first['orders.csv']}n-4,n1,40.00,2026-02-01\n`,
      'commissions.csv': commissions(
        'c1,n1,n-1,1.00,paid,2026-01-01,2026-02-01,2026-02-10\nc2,n1,n-2,2.00,approved,2026-01-02,,\nc3,n1,n-3,3.00,rejected,2026-01-03,,\n' +
          'c4,n1,n-4,4.00,paid,2026-02-01,,2026-02-10\nc3,n1,n-3,3.50,rejected,2026-01-03,,\n',
      ),
    },
    { programId },
  );
  assert.deepEqual(await balancesOf('new@moving.test', programId), [0, 200, 0, 500]);
  assert.deepEqual(
    [second.proof.differences, second.rejections.map(({ row, reason }) => `${row}: ${reason}`)],
    [[], ['6: is the same as in row 4 of commissions.csv']],
  );
  const changed = await run({ ...first, 'commissions.csv': commissions('c2,n1,n-2,2.50,approved,2026-01-02,,\n') }, { programId });
  assert.match(changed.rejections[0]?.reason ?? '', /differs from the amount that was imported before/);
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
});

test('an order that was refunded since is refunded here, too, once', async () => {
  const { programId, path, key } = await service.newProgram('Refunds');
  const files = (refunded: string, status: string) => ({
    'affiliates.csv': 'id,email,name\nr1,refunds@moving.test,Refunds\n',
    'orders.csv': `orderId,affiliate,amount,occurredAt,refunded\nr-1,r1,10.00,2026-01-01,${refunded}\n`,
    'commissions.csv': `commissionId,affiliate,orderId,amount,status,createdAt,rejectedAt\nr-c1,r1,r-1,1.00,${status},2026-01-01,2026-01-05\n`,
  });
  await run(files('', 'approved'), { programId });
  const refund = await run(files('10.00', 'rejected'), { programId });
  assert.deepEqual([refund.rejections, refund.proof.differences, refund.hasChanged], [[], [], true]);
  const { body } = await service.request('GET', `${path}/refunds`, { key });
  assert.deepEqual([body.total, body.refunds[0].amountCents, body.refunds[0].occurredAt], [1, 1000, '2026-01-05T00:00:00.000Z']);
  assert.deepEqual(await balancesOf('refunds@moving.test', programId), [0, 0, 0, 0]);
  assert.equal((await run(files('10.00', 'rejected'), { programId })).hasChanged, false);
});

test('uplines are imported; one that is unknown or below the affiliate is reported', async () => {
  const { programId } = await service.newProgram('Uplines');
  const result = await run(
    {
      'affiliates.csv':
        'id,email,name,upline\nu1,u1@up.test,One,u2\nu2,u2@up.test,Two,u3@up.test\nu3,u3@up.test,Three,\nu4,u4@up.test,Four,u5\n' +
        'u5,u5@up.test,Five,u4\nu6,u6@up.test,Six,u4\nu7,u7@up.test,Seven,u7\nu8,u8@up.test,Eight,u99\n',
    },
    { programId },
  );
  assert.deepEqual(
    [result.counts.affiliate, result.rejections.map(({ row, column, reason }) => `${row} ${column}: ${reason}`)],
    [
      { taken: 8, existed: 0, rejected: 0 },
      [
        '5 upline: u5 is in their own downline; imported without an upline',
        '8 upline: u7 is in their own downline; imported without an upline',
        '9 upline: u99 is not an affiliate of these files or of the program; imported without an upline',
      ],
    ],
  );
  const { rows } = await service.pool.query(
    `select left(affiliate.email, 2) as name, left(upline.email, 2) as upline from affiliates as affiliate
     left join affiliates as upline on upline.program_id = affiliate.program_id and upline.id = affiliate.parent_affiliate_id
     where affiliate.program_id = $1 order by 1`,
    [programId],
  );
  assert.deepEqual(
    rows.map(({ name, upline }) => `${name} ${upline}`),
    ['u1 u2', 'u2 u3', 'u3 null', 'u4 null', 'u5 u4', 'u6 u4', 'u7 null', 'u8 null'],
  );
});

test('a day with more orders than one statement writes is imported in parts', async () => {
  const { programId } = await service.newProgram('One day');
  const rows = Array.from({ length: 501 }, (_, index) => `d-${index},d1,1.00,2025-12-24`);
  const result = await run(
    {
      'affiliates.csv': 'id,email,name\nd1,day@moving.test,Day\n',
      'orders.csv': `orderId,affiliate,amount,occurredAt\n${rows.join('\n')}\n`,
      'commissions.csv': `commissionId,affiliate,orderId,amount,status,createdAt\n${rows.map((_, index) => `dc-${index},d1,d-${index},0.10,paid,2025-12-24`).join('\n')}\n`,
    },
    { programId },
  );
  assert.deepEqual([result.rejections, result.proof.differences, result.counts.order.taken], [[], [], 501]);
  assert.deepEqual(await balancesOf('day@moving.test', programId), [0, 0, 0, 5010]);
});

test('until an import has finished, no payouts are dispatched', async () => {
  const { path } = service.program;
  const dispatch = () => service.request('POST', `${path}/payouts/dispatch`, { body: { minimumPayoutCents: 0 } });
  await service.pool.query('update imports set finished_at = null');
  const rejected = await dispatch();
  assert.deepEqual([rejected.status, rejected.body.code], [400, 'import_unfinished'], rejected.text);
  assert.equal((await run(states)).hasChanged, true, 'a run that finds nothing to write finishes it');
  assert.notEqual((await dispatch()).body.code, 'import_unfinished');
});

describe('files that cannot be imported', () => {
  test('are named with what they lack', async () => {
    await assert.rejects(run({ 'odd.csv': 'first,second\n1,2\n' }), (error) => {
      assert.ok(error instanceof Invalid);
      assert.match(
        error.message,
        /odd\.csv is not an export of plain CSV that can be imported: for affiliates, it lacks email, firstName; for links, it lacks/,
      );
      return true;
    });
  });

  test('rows are rejected with the column and the reason, and their differences show in the proof', async () => {
    const program = await service.newProgram('Rejections');
    const result = await run(
      {
        'affiliates.csv': 'email,name\nok@moving.test,Ok\nOK@moving.test,Again\nno address,None\n',
        'orders.csv':
          'orderId,affiliate,amount,currency,occurredAt\nr1,ok@moving.test,10.00,EUR,2024-01-01\nr2,lost@moving.test,10.00,USD,2024-01-01\n' +
          'r3,ok@moving.test,10.005,USD,2024-01-01\nr4,ok@moving.test,"10,00",USD,2024-01-01\nr5,ok@moving.test,10.00,USD,01/02/2024\n',
        'commissions.csv':
          'commissionId,affiliate,orderId,amount,status,createdAt\nm1,ok@moving.test,r1,1.00,approved,2024-01-01\nm2,ok@moving.test,,2.00,unheard,2024-01-01\n',
      },
      { programId: program.programId },
    );
    assert.deepEqual(
      result.rejections.map(({ file, row, column, reason }) => `${file} ${row} ${column}: ${reason}`),
      [
        'affiliates.csv 3 email: is the same as in row 2 of affiliates.csv',
        'affiliates.csv 4 email: must be an email address',
        'commissions.csv 2 order: belongs to the order r1, which is not taken',
        'commissions.csv 3 status: is unheard, which is none of pending, held, approved, paid, rejected, reversed',
        'orders.csv 2 currency: is EUR, but the currency of the program is USD',
        'orders.csv 3 affiliate: lost@moving.test is not an affiliate of these files or of the program',
        'orders.csv 4 amount: has a fraction of a cent (10.005): USD has 2 decimals',
        'orders.csv 5 amount: must be an amount such as 12.50, not 10,00',
        'orders.csv 6 occurredAt: must be a time such as 2026-11-02T09:30:00Z, not 01/02/2024',
      ],
    );
    assert.deepEqual(result.proof.differences, [{ affiliate: 'ok@moving.test', account: 'approved', previousCents: 100, ledgerCents: 0 }]);
  });
});
