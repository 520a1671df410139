// The receipt of a payout: the commissions that it pays add up to its amount, in JSON and in a PDF in both languages.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { readPdfText } from '../../../../test/support/money/pdf-text.ts';
import { receiptPdf } from './pdf.ts';
import { readReceipt } from './receipt.ts';

describe('the receipt of a payout', () => {
  let service: TestService;
  let payoutId: string;
  before(async () => {
    service = await openTestService();
    await aRule(service, { rate: 10 });
    const { id } = await anAffiliate(service, { status: 'active', firstName: 'Łucja', lastName: 'Ünsal' });
    await anOrder(service, { orderId: 'FF-1', affiliateId: id, amountCents: 1_234_567 });
    service.clock.advance({ days: 31 });
    const send = async (path: string, body: object) => (await service.request('POST', `${service.program.path}/${path}`, { body })).body;
    await send('commissions', { affiliateId: id, amountCents: 5000, note: 'Spring bonus' });
    const { payouts } = await send('payouts/dispatch', {});
    payoutId = payouts[0].id;
    await send(`payouts/${payoutId}/mark-paid`, { reference: 'Wire 7' });
  });
  after(() => service.close());

  const url = (query = '') => `${service.program.path}/payout-receipts/${payoutId}${query}`;
  const readPdf = async (language: string) => {
    const headers = { authorization: `Bearer ${service.program.key}` };
    const { statusCode, rawPayload } = await service.app.inject({ url: url(`?format=pdf&language=${language}`), headers });
    assert.equal(statusCode, 200);
    return readPdfText(rawPayload).join(' ');
  };

  test('lists the commissions, which add up to the amount', async () => {
    const { status, body } = await service.request('GET', url());
    assert.deepEqual([status, body.amountCents, body.affiliateName, body.otherCount], [200, 128_457, 'Łucja Ünsal', 0]);
    assert.deepEqual(
      body.lines.map(({ kind, orderId, reason, amountCents }: Record<string, unknown>) => [kind, orderId, reason, amountCents]),
      [
        ['order', 'FF-1', null, 123_457],
        ['bonus', null, 'Spring bonus', 5000],
      ],
    );
  });

  test('has the same as PDF in English and German, with amounts to the cent', async () => {
    const english = await readPdf('en');
    for (const part of [
      'Payout receipt',
      'Łucja Ünsal',
      'Commission, order FF-1',
      '$1,234.57',
      'Spring bonus',
      '$1,284.57',
      'Wire 7',
      'Paid',
    ])
      assert.ok(english.includes(part), `${part} in ${english}`);
    const german = await readPdf('de');
    for (const part of ['Auszahlungsbeleg', 'Provision, Bestellung FF-1', '1.234,57\u00a0$', '1.284,57\u00a0$', 'Bezahlt', payoutId])
      assert.ok(german.includes(part), `${part} in ${german}`);
  });

  test('continues on further pages, and adds up the commissions that it does not list', async () => {
    const receipt = await readReceipt(service.ctx, { programId: service.program.programId, payoutId });
    const lines = Array.from({ length: 150 }, (_, index) =>
      Object.assign({}, receipt.lines[0], { orderId: `FF-${index}`, amountCents: 100 }),
    );
    const long = { ...receipt, lines, rest: { count: 12, amountCents: receipt.amountCents - 15_000 } };
    const text = readPdfText(Buffer.from(await receiptPdf({ receipt: long, language: 'en', createdAt: new Date() }))).join(' ');
    for (const part of ['order FF-149', '12 other commissions', '$1,134.57', '$1,284.57']) assert.ok(text.includes(part), part);
  });
});
