// Tax files in the console: the same as those of the command line, for members who may read tax numbers, with an entry in the
// audit log, and for no API key.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { pay } from '../../../../test/support/pay.ts';

const signed = { signatureName: 'Zebulon Quix', isCertified: true, signedAt: '2025-01-01T00:00:00Z' };
const usAddress = { street: '1 Hidden Lane', city: 'Springfield', state: 'IL', postalCode: '62701' };
const w9 = { kind: 'w9', name: 'Zebulon Quix', classification: 'individual', address: usAddress, ssn: '123-45-6789', ...signed };
const person = { sellerType: 'individual', firstName: 'Ada', lastName: 'Müller', birthDate: '1980-12-31' };
const address = { street: 'Weg', city: 'Bonn', postalCode: '53111', country: 'DE' };
const dac7 = { kind: 'dac7', ...person, address, tin: 'DETIN-556677', tinCountry: 'DE', ...signed };

describe('tax files in the console', () => {
  let service: TestService;
  let finance: TestMember;
  before(async () => {
    service = await openTestService();
    finance = await service.asMember('finance');
    for (const [form, cents] of [
      [w9, 60_000],
      [dac7, 12_345],
    ] as const) {
      const { id } = await anAffiliate(service, { status: 'active' });
      await pay(service.ctx, service.program, id, [['2025-08-01T00:00:00Z', cents]]);
      const { status } = await service.request('POST', `${service.program.path}/affiliates/${id}/tax-form`, { body: form });
      assert.equal(status, 201);
    }
  });
  after(() => service.close());

  const path = (name: string) => `/app/programs/${service.program.programId}/tax/${name}`;
  const exports = async () => (await service.pool.query(`select after from audit_log where action = 'tax.exported' order by id`)).rows;

  test('contain the affiliates with a form, and each download is in the audit log', async () => {
    const body = { year: 2025, payerTin: '98-7654321', payerName: 'Fern & Field Inc.' };
    const form1099 = await finance.request('POST', path('1099-nec'), { body });
    assert.deepEqual([form1099.status, form1099.headers['content-type']], [200, 'text/csv; charset=utf-8']);
    const rows: Record<string, string>[] = parse(form1099.text, { columns: true });
    assert.deepEqual(
      rows.map((row) => [row['Payer Name'], row['Recipient TIN'], row['Box 1 Nonemployee Compensation']]),
      [['Fern & Field Inc.', '123-45-6789', '600.00']],
    );
    const report = await finance.request('POST', path('dac7'), { body: { year: 2025, operatorCountry: 'DE', operatorTin: '12/345' } });
    assert.equal(report.status, 200);
    for (const part of ['DETIN-556677', 'Müller', '12/345']) assert.ok(report.text.includes(part), part);
    assert.deepEqual(
      (await exports()).map(({ after: entry }) => entry),
      [
        { kind: '1099', year: 2025, count: 1 },
        { kind: 'dac7', year: 2025, count: 1 },
      ],
    );
  });

  test('are for members who may read tax numbers, with a recent sign-in, and for no API key', async () => {
    const before = (await exports()).length;
    const body = { year: 2025, operatorCountry: 'DE' };
    for (const role of ['viewer', 'developer', 'reviewer'] as const)
      assert.equal((await (await service.asMember(role)).request('POST', path('dac7'), { body })).status, 403, role);
    assert.equal((await service.request('POST', path('dac7'), { body })).status, 403);
    service.clock.advance({ minutes: 11 });
    assert.equal((await finance.request('POST', path('dac7'), { body })).body.code, 'fresh_sign_in_required');
    service.clock.advance({ minutes: -11 });
    assert.equal((await exports()).length, before);
  });

  test('name every fault, and 1099 forms are in US dollars only', async () => {
    const answer = await finance.request('POST', path('dac7'), { body: { year: 25, operatorCountry: 'de' } });
    const fields = answer.body.details.map((detail: { path: string[] }) => detail.path[0]);
    assert.deepEqual([answer.status, fields], [400, ['year', 'operatorCountry']]);
    const euro = await service.newProgram('Euro');
    await service.pool.query(`update programs set currency = 'EUR' where id = $1`, [euro.programId]);
    const owner = await service.asMember('owner', { program: euro });
    const rejected = await owner.request('POST', `/app/programs/${euro.programId}/tax/1099-nec`, { body: { year: 2025 } });
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'not_in_us_dollars']);
  });
});
