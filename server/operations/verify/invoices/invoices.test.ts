// Each invariant of invoices is violated once, directly in the database, and found.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer } from '../../../../test/support/money/invoices.ts';
import { applyResponses } from '../../../paying/payouts/apply-responses.ts';
import { checkInvariants } from '../invariants.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  const { program } = service;
  const { id } = await anAffiliate(service, { status: 'active' });
  await anInvoiceIssuer(service, program);
  await anInvoiceAgreement(service, { program, affiliateId: id });
  service.clock.advance({ minutes: 2 });
  const send = async (path: string, body: object) => (await service.request('POST', `${program.path}/${path}`, { body })).body;
  const pay = async () => {
    await send('commissions', { affiliateId: id, amountCents: 11_900, note: 'Bonus' });
    const { batch, payouts } = await send('payouts/dispatch', { minimumPayoutCents: 0 });
    await send(`payouts/batches/${batch.id}/mark-paid`, {});
    return payouts[0].id;
  };
  await pay();
  const response = { outcome: 'returned' as const, reference: 'SEPA', reason: 'closed' };
  const actor = { kind: 'command' as const, id: 'test' };
  await applyResponses(service.ctx, program.programId, [{ payoutId: await pay(), response }], actor);
});
after(() => service.close());

const broken = async () => (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0).map(({ name }) => name);

const numbers = 'the numbers of invoices have no gaps';
const amounts = 'an invoice has the amount of its payout';
const converted = 'the VAT of an invoice in the currency of its country';
const complete = 'every payout that was paid to an affiliate who agreed';

describe('the invariants of invoices', () => {
  for (const [name, breaking, restoring] of [
    [numbers, 'update invoice_counters set last_seq = 4', 'update invoice_counters set last_seq = 3'],
    [
      numbers,
      `update invoices set seq = 9, number = 'GS-2026-0009' where seq = 3`,
      `update invoices set seq = 3, number = 'GS-2026-0003' where seq = 9`,
    ],
    [numbers, `update invoices set number = 'GS-2026-0007' where seq = 1`, `update invoices set number = 'GS-2026-0001' where seq = 1`],
    [
      amounts,
      'update invoices set amount_cents = amount_cents + 1 where seq = 1',
      'update invoices set amount_cents = amount_cents - 1 where seq = 1',
    ],
    [
      converted,
      'update invoices set vat_exchange_cents = vat_exchange_cents + 1 where seq = 1',
      'update invoices set vat_exchange_cents = vat_exchange_cents - 1 where seq = 1',
    ],
    [
      converted,
      'update invoices set vat_exchange_rate = 1.0845 where seq = 3',
      'update invoices set vat_exchange_rate = 1.0842 where seq = 3',
    ],
    [amounts, 'update invoices set vat_rate = 20 where seq = 1', 'update invoices set vat_rate = 19 where seq = 1'],
  ] as const) {
    test(`"${name}…" is violated by: ${breaking}`, async () => {
      await service.pool.query(breaking);
      assert.deepEqual(
        (await broken()).map((found) => found.startsWith(name)),
        [true],
      );
      await service.pool.query(restoring);
      assert.deepEqual(await broken(), []);
    });
  }

  test(`"${amounts}…" is violated by another VAT, which is also converted wrongly`, async () => {
    await service.pool.query('update invoices set vat_cents = 1901 where seq = 1');
    const found = await broken();
    assert.ok(found.length === 2 && found.some((one) => one.startsWith(amounts)) && found.some((one) => one.startsWith(converted)));
    await service.pool.query('update invoices set vat_cents = 1900 where seq = 1');
    assert.deepEqual(await broken(), []);
  });

  test(`"${complete}…" is violated by a missing invoice or cancellation, and not by payouts that another system paid`, async () => {
    const { rows } = await service.pool.query(`delete from invoices where seq = 3 returning *`);
    const [lost] = rows;
    await service.pool.query('update invoice_counters set last_seq = 2');
    assert.deepEqual(
      (await broken()).map((found) => found.startsWith(complete)),
      [true],
    );
    await service.pool.query(
      `insert into imported_records (program_id, source, kind, external_id, record_id, imported_at) values ($1, 'csv', 'payout', 'p', $2, now())`,
      [lost.program_id, lost.payout_id],
    );
    assert.deepEqual(await broken(), []);
  });
});
