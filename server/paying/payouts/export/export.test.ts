// Payment files: their contents, who may create them, and that no payout is paid twice from one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { createProgram } from '../../../accounts/programs/create.ts';
import { transact } from '../../../platform/db/transact.ts';

let service: TestService;
let program: TestProgram;
let batchId: string;
const iban = 'DE89370400440532013000';
const payees = [
  {
    firstName: 'Zoë',
    lastName: 'Ångström',
    details: { method: 'bank', holder: 'Zoë Ångström & <Co>', country: 'DE', currency: 'EUR', iban, bic: 'COBADEFFXXX' },
  },
  { firstName: 'Pat', lastName: 'Pal', details: { method: 'paypal', email: 'pat@pay.example' } },
  {
    firstName: 'Eve',
    lastName: '=cmd()',
    details: { method: 'bank', holder: '=HYPERLINK(1)', country: 'DE', currency: 'EUR', iban: 'DE02120300000000202051' },
  },
];

before(async () => {
  service = await openTestService();
  const actor = { kind: 'command' as const, id: 'test' };
  const newProgram = { name: 'Näh & Söhne', mode: 'live' as const, currency: 'EUR', timezone: 'UTC', websiteUrl: null };
  const { programId, apiKey } = await transact(service.ctx, (tx) => createProgram(tx, newProgram, actor));
  program = { programId, key: apiKey, readKey: apiKey, path: `/v1/programs/${programId}` };
  await send('POST', 'providers', {
    type: 'csv',
    name: 'House bank',
    config: { payerName: 'Näh & Söhne GmbH', payerIban: 'DE75512108001245126199' },
  });
  await aRule(service, { rate: 10 }, program);
  for (const [index, { details, ...name }] of payees.entries()) {
    const { id } = await anAffiliate(service, { status: 'active', ...name }, program);
    assert.equal((await send('POST', `affiliates/${id}/payout-details`, details)).status, 201);
    await anOrder(service, { affiliateId: id, amountCents: 100_050 + index * 10 }, program);
  }
  service.clock.advance({ days: 31 });
  const dispatched = await send('POST', 'payouts/dispatch', {});
  assert.equal(dispatched.status, 201, dispatched.text);
  batchId = dispatched.body.batch.id;
});
after(() => service.close());

const send = (method: string, path: string, body?: object, key = program.key) =>
  service.request(method, `${program.path}/${path}`, { key, body });
/** Creates an affiliate with these payout details and an amount due. */
const createPayee = async (details: object) => {
  const { id } = await anAffiliate(service, { status: 'active' }, program);
  assert.equal((await send('POST', `affiliates/${id}/payout-details`, details)).status, 201);
  await send('POST', 'commissions', { affiliateId: id, amountCents: 10_000, note: 'due' });
  return id;
};
const download = (format: string) => send('POST', `payouts/batches/${batchId}/export`, { format });

describe('the payment file of a batch', () => {
  test('for SEPA contains euro payments to IBANs, exact sums, and only characters that every bank accepts', async () => {
    const { status, headers, text } = await download('sepa');
    assert.equal(status, 200, text);
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8');
    assert.deepEqual([...text.matchAll(/<InstdAmt Ccy="EUR">([\d.]+)</g)].map(([, amount]) => amount).sort(), ['100.05', '100.07']);
    assert.equal([...text.matchAll(/<NbOfTxs>2<\/NbOfTxs><CtrlSum>200.12<\/CtrlSum>/g)].length, 2);
    assert.ok(
      text.includes(`<IBAN>${iban}</IBAN>`) &&
        text.includes('<IBAN>DE75512108001245126199</IBAN>') &&
        text.includes('<BICFI>COBADEFFXXX</BICFI>'),
    );
    assert.ok(text.includes('<Nm>Zoe Angstrom . .Co.</Nm>') && text.includes('<Nm>Nah . Sohne GmbH</Nm>'), text);
    assert.ok(!/[^\x20-\x7E\n]/.test(text));
  });

  test('for PayPal contains only PayPal accounts, in its columns without a header', async () => {
    const { text } = await download('paypal_csv');
    const rows: string[][] = parse(text);
    assert.deepEqual(
      rows.map((row) => row.toSpliced(3, 1)),
      [['pat@pay.example', '100.06', 'EUR', 'Your commission', 'PAYPAL']],
    );
    assert.match(rows[0]?.[3] ?? '', /^[0-9a-f]{30}$/);
  });

  test('for Wise and for other banks contains every supported payout, and no cell that a spreadsheet executes', async () => {
    const wise: Record<string, string>[] = parse((await download('wise_csv')).text, { columns: true });
    assert.deepEqual(wise.map(({ amount, IBAN }) => [amount, IBAN]).sort(), [
      ['100.05', iban],
      ['100.07', 'DE02120300000000202051'],
    ]);
    const all: string[][] = parse((await download('generic_csv')).text);
    assert.equal(all.length, 4);
    for (const cell of all.flat()) assert.ok(!/^[=+@-]/.test(cell), cell);
  });

  test('decides what mark-paid marks: payouts in no downloaded file stay open unless confirmed', async () => {
    const affiliateIds = [
      await createPayee({ method: 'paypal', email: 'one@pay.example' }),
      await createPayee({ method: 'bank', holder: 'Two', country: 'DE', currency: 'EUR', iban: 'DE02120300000000202051' }),
    ];
    const dispatched = await send('POST', 'payouts/dispatch', { affiliateIds });
    assert.equal(dispatched.status, 201, dispatched.text);
    const path = `payouts/batches/${dispatched.body.batch.id}`;
    assert.equal((await send('POST', `${path}/export`, { format: 'paypal_csv' })).status, 200);
    const paid = await send('POST', `${path}/mark-paid`, {});
    assert.deepEqual([paid.status, paid.body.paidCount, paid.body.notExportedCount, paid.body.batch.status], [200, 1, 1, 'processing']);
    const { body } = await send('GET', `payouts?batchId=${dispatched.body.batch.id}`);
    const statuses = body.payouts.map(({ affiliateId, status }: { affiliateId: string; status: string }) => [affiliateId, status]);
    assert.deepEqual(Object.fromEntries(statuses), { [affiliateIds[0] ?? '']: 'paid', [affiliateIds[1] ?? '']: 'queued' });
    const again = await send('POST', `${path}/mark-paid`, {});
    assert.deepEqual([again.status, again.body.code, again.body.notExportedCount], [400, 'payouts_not_exported', 1]);
    const confirmed = await send('POST', `${path}/mark-paid`, { includeNotExported: true });
    assert.deepEqual([confirmed.status, confirmed.body.paidCount, confirmed.body.batch.status], [200, 1, 'completed']);
  });

  test('makes its payouts sent; created again it is the same; after they are paid it has nothing to contain', async () => {
    const first = await download('generic_csv');
    assert.equal((await download('generic_csv')).text, first.text);
    const { body } = await send('GET', `payouts?batchId=${batchId}`);
    assert.ok(body.payouts.every(({ status }: { status: string }) => status === 'sent'));
    assert.ok((await send('GET', `payouts/batches/${batchId}`)).body.exportedAt);
    assert.equal((await send('POST', `payouts/${body.payouts[0].id}/cancel`, {})).status, 400);
    const paid = await send('POST', `payouts/batches/${batchId}/mark-paid`, { reference: 'run 1' });
    assert.deepEqual([paid.status, paid.body.paidCount, paid.body.batch.status], [200, 3, 'completed'], paid.text);
    assert.equal((await download('generic_csv')).status, 422);
    assert.equal((await send('POST', `payouts/batches/${batchId}/mark-paid`, {})).status, 422);
  });

  test('needs the write scope and is audited', async () => {
    const { rows } = await service.pool.query(`select after from audit_log where action = 'payouts.exported' and program_id = $1`, [
      program.programId,
    ]);
    assert.ok(rows.length >= 4 && rows.every(({ after: recorded }) => !JSON.stringify(recorded).includes('DE89')));
    const own = await service.request('POST', `${service.program.path}/payouts/batches/${batchId}/export`, {
      key: service.program.readKey,
      body: {},
    });
    assert.equal(own.status, 403);
  });
});
