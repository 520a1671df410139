// Self-billing invoices: ten in each case of VAT, read back from their PDF, in both languages; numbers without gaps, whatever
// happens at the same time; and documents that never change.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer, storeRate } from '../../../test/support/money/invoices.ts';
import { readPdfText } from '../../../test/support/money/pdf-text.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import { applyResponses } from '../payouts/apply-responses.ts';

let service: TestService;
let program: TestProgram;
let owner: TestMember;

before(async () => {
  service = await openTestService();
});
after(async () => {
  const findings = await checkInvariants(service.ctx).finally(() => service.close());
  assert.deepEqual(
    findings.filter(({ broken }) => broken.length > 0),
    [],
  );
});
beforeEach(async () => {
  program = await service.newProgram(`Issuer ${Math.random()}`);
  owner = await service.asMember('owner', { program });
  await send('PATCH', '', { minimumPayoutCents: 0, timezone: 'Europe/Berlin' });
});

async function send(method: string, path: string, body?: object) {
  const url = path === '' ? program.path : `${program.path}/${path}`;
  const answer = await service.request(method, url, body ? { key: program.key, body } : { key: program.key });
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  return answer.body;
}

type Row = {
  id: string;
  number: string;
  kind: string;
  affiliateId: string;
  payoutId: string;
  cancelsId: string | null;
  cancelsNumber: string | null;
  cancelledByNumber: string | null;
  vatCase: string;
  vatRatePercent: number;
  netCents: number;
  vatCents: number;
  amountCents: number;
  language: 'en' | 'de';
};

const list = async (query = ''): Promise<Row[]> => (await send('GET', `invoices?limit=200&sort=createdAt${query}`)).invoices;

/** Dispatches what is owed and returns the payouts. */
async function dispatch(amounts: readonly [affiliateId: string, amountCents: number][]): Promise<{ id: string; batchId: string }[]> {
  for (const [affiliateId, amountCents] of amounts) await send('POST', 'commissions', { affiliateId, amountCents, note: 'Bonus' });
  return (await send('POST', 'payouts/dispatch', {})).payouts;
}

async function pay(amounts: readonly [affiliateId: string, amountCents: number][]): Promise<string[]> {
  const payouts = await dispatch(amounts);
  await send('POST', `payouts/batches/${payouts[0]?.batchId}/mark-paid`, {});
  return payouts.map(({ id }) => id);
}

/** An affiliate who agreed more than a minute ago, so that `verify` expects invoices. */
async function aSupplier(agreement: Partial<Parameters<typeof anInvoiceAgreement>[1]> = {}): Promise<string> {
  const { id } = await anAffiliate(service, { status: 'active' }, program);
  await anInvoiceAgreement(service, { program, affiliateId: id, ...agreement });
  return id;
}

const wait = () => service.clock.advance({ minutes: 2 });

async function download(id: string): Promise<Buffer> {
  const url = `/app/programs/${program.programId}/invoices/${id}?format=pdf`;
  const { statusCode, rawPayload, headers } = await service.app.inject({ url, headers: { cookie: owner.cookie } });
  assert.deepEqual([statusCode, headers['content-type']], [200, 'application/pdf']);
  return rawPayload;
}

/** Without the lines that a sentence was wrapped into. */
const textOf = async (id: string) => readPdfText(await download(id)).join(' ');

const numbers = (count: number, prefix = 'GS-2026') =>
  Array.from({ length: count }, (_, n) => `${prefix}-${String(n + 1).padStart(4, '0')}`);

describe('ten invoices of each case, in both languages', () => {
  const cases = [
    { vatCase: 'domestic', printed: { country: 'DE', taxNumber: '205/5000/1234' }, wording: { en: 'The total includes VAT.', de: 'Der Gesamtbetrag enthält die Umsatzsteuer.' }, tax: ['205/5000/1234'] }, // biome-ignore format: a row
    { vatCase: 'small_business', printed: { country: 'DE', taxNumber: '93 815 08152' }, wording: { en: 'Kein Ausweis von Umsatzsteuer, § 19 UStG', de: 'Kein Ausweis von Umsatzsteuer, § 19 UStG' }, tax: ['93 815 08152'] }, // biome-ignore format: a row
    { vatCase: 'reverse_charge', printed: { country: 'FR', vatId: 'FR40303265045' }, wording: { en: 'Reverse charge: the recipient of the service owes the VAT (Steuerschuldnerschaft des Leistungsempfängers).', de: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse charge).' }, tax: ['FR40303265045'] }, // biome-ignore format: a row
    { vatCase: 'outside_eu', printed: { country: 'CH', city: 'Zürich' }, wording: { en: 'Not taxable (outside the European Union): no VAT is charged.', de: 'Nicht steuerbar (außerhalb der Europäischen Union): Es wird keine Umsatzsteuer ausgewiesen.' }, tax: [] }, // biome-ignore format: a row
  ] as const;
  const titles = { en: 'Self-billing invoice (Gutschrift)', de: 'Gutschrift' };

  for (const { vatCase, printed, wording, tax } of cases) {
    test(`${vatCase}: numbers, amounts to the cent, both parties and the required wording`, async () => {
      await anInvoiceIssuer(service, program);
      const isSmallBusiness = vatCase === 'small_business';
      const legalName = 'Ünsal Łukasiewicz & Söhne Gesellschaft für Empfehlungsmarketing mit beschränkter Haftung';
      const suppliers = [
        await aSupplier({ printed: { legalName, ...printed }, isSmallBusiness, language: 'en' }),
        await aSupplier({ printed: { legalName, ...printed }, isSmallBusiness, language: 'de' }),
      ];
      wait();
      const paid: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const amounts = suppliers.map((id, index): [string, number] => [id, 1 + (round * 2 + index) * 1_234_567 + round]);
        paid.push(...amounts.map(([, cents]) => cents));
        await pay(amounts);
      }
      const invoices = await list();
      assert.deepEqual(invoices.map(({ number }) => number).sort(), numbers(10));
      assert.deepEqual(
        invoices.map(({ amountCents }) => amountCents).sort((a, b) => a - b),
        paid.sort((a, b) => a - b),
      );
      for (const invoice of invoices) {
        const { amountCents, netCents, vatCents, language, number, payoutId } = invoice;
        const expectedVat = vatCase === 'domestic' ? Math.floor((2 * 19 * amountCents + 119) / (2 * 119)) : 0;
        assert.deepEqual([invoice.vatCase, vatCents, netCents], [vatCase, expectedVat, amountCents - expectedVat]);
        const text = await textOf(invoice.id);
        const money = [netCents, vatCents, amountCents].map((cents) => formatCents(cents, 'USD', { language }));
        for (const part of [titles[language], wording[language], number, payoutId, legalName, ...money, ...tax]) {
          assert.ok(text.includes(part), `${vatCase} ${language}: "${part}" is missing in ${text}`);
        }
        const country = new Intl.DisplayNames(language, { type: 'region' }).of(printed.country) ?? '';
        for (const part of ['Fern & Field GmbH', 'Lindenstraße 4', '10969 Berlin', 'DE811907980', country])
          assert.ok(text.includes(part), `${part} is missing in ${text}`);
        assert.ok(text.includes(language === 'de' ? 'Ausgestellt vom Leistungsempfänger' : 'Issued by the recipient of the service'));
        const rate = vatCase === 'domestic' ? 19 : 0;
        assert.ok(text.includes(language === 'de' ? `Umsatzsteuer ${rate}\u00a0%` : `VAT ${rate}%`), text);
      }
    });
  }
});

describe('an invoice', () => {
  test('never changes: neither new details of both parties nor the time of the download are in it', async () => {
    await anInvoiceIssuer(service, program);
    const ada = await aSupplier();
    wait();
    await pay([[ada, 11_900]]);
    const [invoice] = await list();
    const before = await download(invoice?.id ?? '');
    await anInvoiceIssuer(service, program, { legalName: 'Renamed AG', vatRatePercent: 20, numberPrefix: 'NEW' });
    await anInvoiceAgreement(service, { program, affiliateId: ada, printed: { legalName: 'Ada Byron' }, language: 'de' });
    service.clock.advance({ minutes: 20 });
    assert.deepEqual(await download(invoice?.id ?? ''), before);
    await pay([[ada, 12_000]]);
    const [, second] = await list();
    assert.deepEqual([second?.number, second?.vatCents, second?.language], ['NEW-2026-0002', 2000, 'de']);
    assert.match(await textOf(second?.id ?? ''), /Renamed AG/);
  });

  test('is cancelled when the payment is returned, once, under the next number and with the details of the invoice', async () => {
    await anInvoiceIssuer(service, program);
    const ada = await aSupplier({ language: 'de' });
    wait();
    const [payoutId = ''] = await pay([[ada, 11_900]]);
    const returned = { outcome: 'returned' as const, reference: 'SEPA 1', reason: 'unknown account' };
    const provider = { kind: 'provider' as const, id: service.ctx.ids.uuid() };
    for (let time = 0; time < 3; time += 1)
      await applyResponses(service.ctx, program.programId, [{ payoutId, response: returned }], provider);
    const [invoice, cancellation, ...others] = await list();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [cancellation?.number, cancellation?.kind, cancellation?.cancelsId, cancellation?.amountCents, cancellation?.vatCents],
      ['GS-2026-0002', 'cancellation', invoice?.id, -11_900, -1900],
    );
    const text = await textOf(cancellation?.id ?? '');
    for (const part of ['Storno einer Gutschrift', 'GS-2026-0001', '\u2212119,00', '\u221219,00', 'Ada Müller'])
      assert.ok(text.includes(part), `${part} is missing in ${text}`);
    const linked = (await list()).map(({ cancelsNumber, cancelledByNumber }) => [cancelsNumber, cancelledByNumber]);
    assert.deepEqual(linked, [[null, 'GS-2026-0002'], ['GS-2026-0001', null]]); // biome-ignore format: rows
    await pay([[ada, 100]]);
    assert.equal((await list()).at(-1)?.amountCents, 12_000);
  });

  test('is only issued while the program has an issuer and the affiliate agrees, and never for earlier payouts', async () => {
    const ada = await aSupplier();
    const bea = (await anAffiliate(service, { status: 'active' }, program)).id;
    wait();
    await pay([[ada, 1000]]);
    await anInvoiceIssuer(service, program);
    wait();
    await pay([
      [ada, 2000],
      [bea, 3000],
    ]);
    await send('PATCH', 'invoice-issuer', { isActive: false });
    wait();
    await pay([[ada, 4000]]);
    assert.deepEqual(
      (await list()).map(({ amountCents, number }) => [amountCents, number]),
      [[2000, 'GS-2026-0001']],
    );
  });

  test('can neither be changed nor deleted by the service', async () => {
    await anInvoiceIssuer(service, program);
    const ada = await aSupplier();
    wait();
    await pay([[ada, 1000]]);
    const { db } = service.ctx;
    for (const table of ['invoices', 'invoiceIssuers'] as const) {
      await assert.rejects(db.deleteFrom(table).where('programId', '=', program.programId).execute(), /permission denied/);
      const change = db.updateTable(table).set({ createdAt: new Date() }).where('programId', '=', program.programId);
      await assert.rejects(change.execute(), /permission denied/);
    }
  });
});

describe('numbers', () => {
  test('have no gap when 40 payouts are marked as paid at the same time, and start again each year', async () => {
    await anInvoiceIssuer(service, program);
    const suppliers: string[] = [];
    for (let index = 0; index < 40; index += 1) suppliers.push(await aSupplier());
    wait();
    const payouts = await dispatch(suppliers.map((id, index) => [id, 1000 + index]));
    const mark = ({ id }: { id: string }) =>
      service.request('POST', `${program.path}/payouts/${id}/mark-paid`, { key: program.key, body: {} });
    // Each one twice: the second receives 422.
    const answers = await Promise.all([...payouts, ...payouts].map(mark));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 422]));
    assert.deepEqual((await list()).map(({ number }) => number).sort(), numbers(40));
    service.clock.advance({ days: 306 });
    await storeRate(service, program, { rate: '1.1' });
    await pay([[suppliers[0] ?? '', 5000]]);
    assert.equal((await list('&year=2027'))[0]?.number, 'GS-2027-0001');
    service.clock.advance({ days: -306 });
  });

  test('are listed by affiliate, year, case and payout, and names and tax numbers are in no response', async () => {
    await anInvoiceIssuer(service, program);
    const [ada, bea] = [await aSupplier({ printed: { legalName: 'Zebulon Quix' } }), await aSupplier({ isSmallBusiness: true })];
    wait();
    const [payoutId = ''] = await pay([
      [ada, 1000],
      [bea, 2000],
    ]);
    assert.equal((await list(`&affiliateId=${ada}&year=2026`)).length, 1);
    assert.equal((await list('&year=2025')).length, 0);
    assert.deepEqual((await list('&vatCase=small_business')).map(({ affiliateId }) => affiliateId), [bea]); // biome-ignore format: a row
    assert.equal((await list(`&payoutId=${payoutId}&kind=invoice`)).length, 1);
    const [one] = await list(`&affiliateId=${ada}&expand=affiliate`);
    assert.equal((await send('GET', `invoices/${one?.id}`)).number, one?.number);
    const texts = [JSON.stringify(one), JSON.stringify(await send('GET', `affiliates/${ada}/invoice-agreement`)), ...service.log];
    for (const secret of ['Zebulon', '205/5000/1234']) assert.equal(texts.find((text) => text.includes(secret)), undefined); // biome-ignore format: a row
    const { rows } = await service.pool.query('select t::text as text from invoice_details as t');
    assert.ok(rows.every(({ text }) => !text.includes('Zebulon') && !text.includes(Buffer.from('Zebulon').toString('hex'))));
  });

  test('are in documents for members who may see tax numbers, and for no API key or other program', async () => {
    await anInvoiceIssuer(service, program);
    const ada = await aSupplier();
    wait();
    await pay([[ada, 1000]]);
    const [invoice] = await list();
    const path = `/app/programs/${program.programId}/invoices/${invoice?.id}?format=pdf`;
    const reviewer = await service.asMember('reviewer', { program });
    assert.equal((await reviewer.request('GET', path)).status, 403);
    assert.equal((await service.request('GET', path, { key: program.key })).status, 403);
    const stranger = await service.asMember('owner', { program: await service.newProgram('Other') });
    assert.equal((await stranger.request('GET', path)).status, 404);
  });
});
