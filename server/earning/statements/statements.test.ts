// Monthly statements: opening + earned − adjusted − paid = closing, the same in JSON, CSV and PDF.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { readPdfText } from '../../../test/support/money/pdf-text.ts';
import { matureAll } from '../commissions/mature.ts';

let service: TestService;
let ada: { id: string };

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  ada = await anAffiliate(service, { firstName: '=HYPERLINK("x")', lastName: 'Mäkinen', status: 'active' });
  await anOrder(service, { orderId: 'march-1', affiliateId: ada.id, amountCents: 10_005 });
  const second = await anOrder(service, { orderId: '=2+3', affiliateId: ada.id, amountCents: 5000 });
  await service.request('POST', '/v1/refunds', { body: { refundId: 'r1', orderId: 'march-1', amountCents: 5000 } });
  service.clock.advance({ days: 30.5 }); // The first instant of April.
  await anOrder(service, { orderId: 'midnight', affiliateId: ada.id, amountCents: 200 });
  service.clock.advance({ days: 4 });
  await matureAll(service.ctx);
  await service.request('POST', `${service.program.path}/commissions/${second.commissions[0].id}/adjust`, {
    body: { amountCents: 25, note: '+late' },
  });
  await anOrder(service, { orderId: 'april-1', affiliateId: ada.id, amountCents: 100 });
});
after(() => service.close());

const statement = (query: string) => service.request('GET', `${service.program.path}/affiliates/${ada.id}/statement${query}`);

describe('a monthly statement', () => {
  test('adds up from month to month and ends with the amount owed', async () => {
    const march = (await statement('?month=2026-03')).body;
    assert.deepEqual(
      [march.openingCents, march.earnedCents, march.adjustedCents, march.paidCents, march.closingCents],
      [0, 1501, 500, 0, 1001],
    );
    const april = (await statement('')).body;
    assert.deepEqual(
      [april.month, april.openingCents, april.earnedCents, april.adjustedCents, april.closingCents],
      ['2026-04', 1001, 30, -25, 1056],
    );
    const { body: balance } = await service.request('GET', `${service.program.path}/affiliates/${ada.id}/balance`);
    assert.equal(balance.pendingCents + balance.availableCents + balance.inTransitCents, april.closingCents);
    assert.equal((await statement('?month=2026-02')).body.closingCents, 0);
  });

  test('every line is a ledger entry, and `lastEntry` is the last one of the month', async () => {
    const { body } = await statement('?month=2026-03');
    const { body: ledger } = await service.request(
      'GET',
      `${service.program.path}/ledger/entries?affiliateId=${ada.id}&createdTo=2026-04-01T00:00:00Z`,
    );
    const seqs = new Map(ledger.entries.map(({ seq, amountCents }: { seq: number; amountCents: number }) => [seq, amountCents]));
    for (const { seq, amountCents } of body.lines) assert.equal(Math.abs(amountCents), seqs.get(seq));
    assert.deepEqual(body.lastEntry, { seq: ledger.entries[0].seq, hash: ledger.entries[0].hash });
  });

  test('as CSV has the same lines, and no cell that a spreadsheet would execute', async () => {
    const { status, headers, text } = await statement('?month=2026-04&format=csv');
    assert.deepEqual([status, headers['content-type']], [200, 'text/csv; charset=utf-8']);
    assert.match(String(headers['content-disposition']), /attachment; filename="statement-2026-04-/);
    const rows: string[][] = parse(text);
    assert.deepEqual(rows[0], ['seq', 'createdAt', 'kind', 'orderId', 'description', 'amountCents', 'currency']);
    assert.deepEqual(
      rows
        .at(1)
        ?.slice(4, 6)
        .concat(rows.at(1)?.[2] ?? ''),
      ['', '1001', 'opening'],
    );
    assert.equal(
      rows.slice(1, -1).reduce((sum, row) => sum + Number(row[5]), 0),
      Number(rows.at(-1)?.[5]),
    );
    for (const cell of rows.slice(1).flat())
      assert.ok(!/^[=+@\t\r]/.test(cell) && (!cell.startsWith('-') || !Number.isNaN(Number(cell))), cell);
  });

  test('as PDF is a valid document', async () => {
    const { status, headers, text } = await statement('?month=2026-03&format=pdf');
    assert.deepEqual([status, headers['content-type']], [200, 'application/pdf']);
    assert.ok(text.startsWith('%PDF-1.'));
    assert.ok(text.trimEnd().endsWith('%%EOF'));
  });

  test('as PDF has names in their own letters, and negative amounts with a minus sign', async () => {
    const names = ['Zoë Łukasz', 'Ștefan Đorđević', 'Ελένη Παπαδοπούλου', 'Дмитро Жук', 'Անի Սարգսյան', 'Nguyễn Thảo'];
    for (const name of names) assert.ok((await printed(name)).includes(name), name);
    assert.ok((await readPdf(ada.id, '2026-03')).includes('\u2212$5.00'));
  });

  test('as PDF has right-to-left names in the order they are read, even next to other words', async () => {
    assert.ok((await printed('نور خليل')).includes(toVisual('نور خليل')));
    assert.ok((await printed('דנה כהן')).includes(toVisual('דנה כהן')));
    const lines = await printed('Ada نور خليل');
    assert.deepEqual(lines.slice(lines.indexOf('Ada '), lines.indexOf('Ada ') + 2), ['Ada ', toVisual('نور خليل')]);
    assert.ok(lines.includes('Opening') && lines.includes('No entries this month.'));
  });

  test('as PDF shows a question mark for each letter of a script that its font lacks', async () => {
    assert.ok((await printed('田中 Mei 🌿')).includes('?? Mei ?'));
  });

  test('of an invalid month is 400', async () => {
    for (const query of ['?month=2026-13', '?month=march', '?format=xls']) assert.equal((await statement(query)).status, 400);
  });
});

/** The texts of the statement of a new affiliate with this name. */
async function printed(name: string): Promise<string[]> {
  const [firstName = '', ...others] = name.split(' ');
  const { id } = await anAffiliate(service, { firstName, lastName: others.join(' ') });
  return readPdf(id, '2026-03');
}

async function readPdf(id: string, month: string): Promise<string[]> {
  const url = `${service.program.path}/affiliates/${id}/statement?format=pdf&month=${month}`;
  const { rawPayload } = await service.app.inject({ url, headers: { authorization: `Bearer ${service.program.key}` } });
  return readPdfText(rawPayload);
}

/** The letters from left to right, as a reader of the PDF sees them. */
function toVisual(name: string): string {
  return [...name].reverse().join('');
}

test('the balance includes matured commissions before the schedule posts them, as `due` does', async () => {
  const { id } = await anAffiliate(service, { status: 'active' });
  await anOrder(service, { affiliateId: id, amountCents: 100_000 });
  const balance = async () => {
    const { body } = await service.request('GET', `${service.program.path}/affiliates/${id}/balance`);
    return [body.pendingCents, body.availableCents];
  };
  assert.deepEqual(await balance(), [10_000, 0]);
  service.clock.advance({ days: 30 });
  const { body } = await service.request('GET', `${service.program.path}/payouts/due`);
  assert.equal(body.due.find(({ affiliateId }: { affiliateId: string }) => affiliateId === id)?.amountCents, 10_000);
  assert.deepEqual(await balance(), [0, 10_000]);
  await matureAll(service.ctx);
  assert.deepEqual(await balance(), [0, 10_000]);
});
