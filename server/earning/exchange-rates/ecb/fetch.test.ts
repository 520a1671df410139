// The reference rates of the European Central Bank, from a local copy of its file.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import type { Context } from '../../../context.ts';
import type { HttpRequest } from '../../../platform/lib/http.ts';
import { ecbUrl, fetchEcbRates } from './fetch.ts';
import { findUnquotedPrograms } from './quoted-currencies.ts';
import { parseReferenceRates, toProgramRates } from './reference-rates.ts';

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube>
<Cube time="2026-02-27"><Cube currency="USD" rate="1.0842"/><Cube currency="JPY" rate="163.08"/><Cube currency="GBP" rate="0.8333"/></Cube>
<Cube time="2026-02-26"><Cube currency="USD" rate="1.08"/><Cube currency="JPY" rate="162"/></Cube>
</Cube></gesmes:Envelope>`;

/** As `eurofxref-daily.xml` is written: indented, with single quotes. */
const oneDay = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-01-02'>
			<Cube currency='USD' rate='1.1721'/>
			<Cube currency='ISK' rate='147.00'/></Cube>
	</Cube>
</gesmes:Envelope>`;

/** As `eurofxref-hist-90d.xml` is written: on one line. BGN until it was replaced by the euro, ISK while it was not quoted, a holiday. */
const overNewYear =
  '<gesmes:Envelope xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube>' +
  '<Cube time="2026-01-02"><Cube currency="USD" rate="1.1721"/><Cube currency="ISK" rate="N/A"/></Cube><Cube time="2026-01-01"></Cube>' +
  '<Cube time="2025-12-31"><Cube currency="USD" rate="1.175"/><Cube currency="BGN" rate="1.9558"/></Cube></Cube></gesmes:Envelope>';

describe('the file of the European Central Bank', () => {
  test('is converted by way of the euro, to 12 decimals', () => {
    const days = parseReferenceRates(xml);
    assert.deepEqual(
      toProgramRates(days, 'USD').map(({ currency, quotedOn, rate }) => [quotedOn, currency, rate]),
      [
        ['2026-02-27', 'JPY', '0.006648270787'],
        ['2026-02-27', 'GBP', '1.301092043682'],
        ['2026-02-27', 'EUR', '1.0842'],
        ['2026-02-26', 'JPY', '0.006666666667'],
        ['2026-02-26', 'EUR', '1.08'],
      ],
    );
    assert.equal(toProgramRates(days, 'EUR').find(({ currency }) => currency === 'USD')?.rate, '0.922339051835');
    assert.deepEqual(toProgramRates(days, 'KWD'), []);
  });

  test('is read in its form of one day and in that of 90, with what was not quoted or has been withdrawn left out', () => {
    const rates = (file: string) =>
      toProgramRates(parseReferenceRates(file), 'EUR').map(({ quotedOn, currency, rate }) => `${quotedOn} ${currency} ${rate}`);
    assert.deepEqual(rates(oneDay), ['2026-01-02 USD 0.853169524785', '2026-01-02 ISK 0.006802721088']);
    assert.deepEqual(rates(overNewYear), ['2026-01-02 USD 0.853169524785', '2025-12-31 USD 0.851063829787']);
    const days = parseReferenceRates(overNewYear).map(({ quotedOn }) => quotedOn);
    assert.deepEqual(days, ['2026-01-02', '2026-01-01', '2025-12-31'], 'a day without rates is accepted');
    assert.deepEqual(toProgramRates(parseReferenceRates(overNewYear), 'ISK'), [], 'a currency that was not quoted has no rates');
  });

  test('is rejected if a part of it is not readable', () => {
    const broken = ['', '<html>Maintenance</html>', '1.0842x', '0', '1,0842'].map((rate, index) =>
      index < 2 ? rate : xml.replace('1.0842', rate),
    );
    const withoutRates = xml.replaceAll(/rate="[^"]*"/g, 'rate="N/A"');
    for (const file of [...broken, withoutRates, xml.replace('2026-02-26', 'today'), xml.replace('"USD" rate', '"usd" rate')])
      assert.throws(() => parseReferenceRates(file), /European Central Bank/);
  });
});

describe('a program that uses the rates of the European Central Bank', () => {
  let service: TestService;
  let affiliateId = '';
  const requests: HttpRequest[] = [];
  let answer = { status: 200, headers: {}, body: xml };
  let ctx: Context;
  before(async () => {
    service = await openTestService();
    affiliateId = (await anAffiliate(service, { status: 'active' })).id;
    ctx = {
      ...service.ctx,
      http: async (request) => {
        requests.push(request);
        return answer;
      },
    };
  });
  after(() => service.close());

  const list = async () => {
    const { body } = await service.request('GET', `${service.program.path}/exchange-rates?currency=EUR`);
    return body.exchangeRates.map(({ quotedOn, rate, source }: Record<string, string>) => [quotedOn, rate, source]);
  };

  test('gets them once, keeps uploaded ones, and converts orders at them', async () => {
    await fetchEcbRates.run(ctx, {}, { isLast: true });
    assert.equal(requests.length, 0, 'no program uses them');
    const rates = [{ currency: 'EUR', quotedOn: '2026-02-26', rate: '1.1' }];
    assert.equal((await service.request('POST', `${service.program.path}/exchange-rates`, { body: { rates } })).status, 200);
    const changed = await service.pool.query(`update programs set exchange_rate_source = 'ecb' where id = $1`, [service.program.programId]);
    assert.equal(changed.rowCount, 1);
    for (let run = 0; run < 2; run += 1) await fetchEcbRates.run(ctx, {}, { isLast: true });
    assert.deepEqual(
      requests.map(({ method, url }) => [method, url]),
      [
        ['GET', ecbUrl],
        ['GET', ecbUrl],
      ],
    );
    assert.deepEqual(await list(), [
      ['2026-02-27', '1.0842', 'ecb'],
      ['2026-02-26', '1.1', 'uploaded'],
    ]);
    const order = { orderId: 'ecb', affiliateId, amountCents: 10_000, currency: 'EUR' };
    const { status, body } = await service.request('POST', '/v1/conversions', { body: order });
    assert.deepEqual([status, body.amountCents, body.exchange.rateSource], [201, 10_842, 'ecb']);
  });

  test('keeps its rates when the file can’t be fetched or read', async () => {
    for (const broken of [
      { status: 503, body: '' },
      { status: 200, body: 'no' },
    ]) {
      answer = { ...answer, ...broken };
      await assert.rejects(async () => fetchEcbRates.run(ctx, {}, { isLast: true }));
    }
    assert.equal((await list()).length, 2);
  });

  test('is reported with its currency if the bank does not quote it', async () => {
    assert.deepEqual(await findUnquotedPrograms(ctx), []);
    const { programId } = await service.newProgram('Manama');
    await service.pool.query(`update programs set currency = 'BHD', exchange_rate_source = 'ecb' where id = $1`, [programId]);
    assert.deepEqual(await findUnquotedPrograms(ctx), [{ name: 'Manama', currency: 'BHD' }]);
  });

  test('gets them as soon as it chooses them', async () => {
    answer = { ...answer, status: 200, body: xml };
    await service.request('PATCH', service.program.path, { body: { exchangeRateSource: 'off' } });
    const { rows: before } = await service.pool.query(`delete from exchange_rates where source = 'ecb' returning 1`);
    assert.equal(before.length > 0, true);
    await service.request('PATCH', service.program.path, { body: { exchangeRateSource: 'ecb' } });
    const { rows } = await service.pool.query(`select data from job_outbox where name = 'exchangeRates.fetchEcb'`);
    assert.equal(rows.length, 1);
    await fetchEcbRates.run(ctx, { programId: service.program.programId }, { isLast: true });
    assert.equal((await list()).length, 2);
  });
});
