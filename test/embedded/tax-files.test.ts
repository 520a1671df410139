import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { get1099ThresholdCents } from '../../server/paying/tax/form-1099.ts';
import { anAffiliate } from '../support/builders.ts';
import type { TestProgram } from '../support/harness.ts';
import { type Installation, openInstallation } from '../support/operator.ts';
import { type Payment, pay } from '../support/pay.ts';

const signed = { signatureName: 'Zebulon Quix', isCertified: true, signedAt: '2025-01-01T00:00:00Z' };
const usAddress = { street: '1 Hidden Lane', city: 'Springfield', state: 'IL', postalCode: '62701' };
const w9 = { kind: 'w9', name: 'Zebulon Quix', classification: 'individual', address: usAddress, ssn: '123-45-6789', ...signed };
const address = { street: 'Hidden Weg', buildingNumber: '7', city: 'Bonn', postalCode: '53111', country: 'DE' };
const w8 = { kind: 'w8ben', name: 'Zebulon Quix', country: 'DE', address, foreignTin: 'FT-998877', birthDate: '1980-12-31', ...signed };
const person = { sellerType: 'individual', firstName: 'Zebulon', lastName: 'Quix & Söhne', birthDate: '1980-12-31' };
const dac7 = { kind: 'dac7', ...person, address, tin: 'DETIN-556677', tinCountry: 'DE', vatId: 'DE123456789', ...signed };
const company = { sellerType: 'entity', legalName: 'Quix GmbH', registrationNumber: 'HRB 4711' };

let place: Installation;
before(async () => {
  place = await openInstallation();
});
after(() => place.close());

const submit = (id: string, body: object, program: TestProgram) =>
  place.asService.request('POST', `${program.path}/affiliates/${id}/tax-form`, { body, key: program.key });

describe('tax files', () => {
  test('1099: contains W-9 holders from the threshold on, lists affiliates without a form, and overwrites no file', async () => {
    const program = await place.newProgram('Payer');
    const people: Record<string, string> = {};
    for (const [name, cents, form] of [
      ['at', 60_000, w9],
      ['business', 123_456, { ...w9, ssn: undefined, ein: '12-3456789', businessName: '=Quix LLC', classification: 'llc' }],
      ['below', 59_999, w9],
      ['corporation', 900_000, { ...w9, classification: 'c_corporation' }],
      ['abroad', 900_000, w8],
      ['nothing', 60_001, null],
      ['small', 100, null],
    ] as const) {
      const { id } = await anAffiliate(place.asService, { firstName: name }, program);
      people[name] = id;
      await pay(place.ctx, program, id, [['2025-08-01T00:00:00Z', cents]]);
      if (form) assert.equal((await submit(id, form, program)).status, 201);
    }
    const out = join(place.folder, '1099.csv');
    const command = ['tax', '1099', '--program', program.programId, '--year', '2025', '--out', out, '--payer-tin', '98-7654321'];
    const { code, stdout, stderr } = await place.tributary(...command);
    assert.equal(code, 2, stderr);
    assert.match(stdout, /Wrote 2 recipients .* 1 corporation omitted/);
    assert.match(stderr, new RegExp(`${people.nothing} {2}nothing`));
    for (const name of ['small', 'abroad', 'below']) assert.ok(!stderr.includes(String(people[name])), name);
    assert.equal(statSync(out).mode & 0o777, 0o600);
    const rows = parse(readFileSync(out), { columns: true }) as Record<string, string>[];
    assert.deepEqual(
      rows.map((row) => [row['Account Number'], row['Recipient TIN Type'], row['Recipient TIN'], row['Box 1 Nonemployee Compensation']]),
      [
        [people.at, 'SSN', '123-45-6789', '600.00'],
        [people.business, 'EIN', '12-3456789', '1234.56'],
      ],
    );
    assert.deepEqual(
      [rows[1]?.['Recipient Name Line 2'], rows[0]?.['Payer TIN'], rows[0]?.['Payer Name']],
      ["'=Quix LLC", '98-7654321', 'Payer'],
    );
    assert.ok(!stdout.includes('6789') && !stderr.includes('6789'));
    const second = await place.tributary(...command);
    assert.deepEqual([second.code, /already exists\. It was not overwritten/.test(second.stderr)], [1, true]);
    const other = [...command.slice(0, 7), `${out}2`, '--threshold', '1234.56'];
    const third = await place.tributary(...other);
    assert.deepEqual([third.code, /Wrote 1 recipient /.test(third.stdout)], [0, true]);
    const audits = place.ctx.db.selectFrom('auditLog').select('after').where('programId', '=', program.programId);
    const audited = await audits.where('action', '=', 'tax.exported').orderBy('id').execute();
    assert.deepEqual(audited[0]?.after, { kind: '1099', year: 2025, count: 2 });
  });

  test('the 1099 threshold is higher for payments from 2026 on', () => {
    assert.deepEqual([2024, 2025, 2026, 2027].map(get1099ThresholdCents), [60_000, 60_000, 200_000, 200_000]);
  });

  test('DAC7: contains every seller by quarter with the payout account, and escapes all text', async () => {
    const program = await place.newProgram('Fern & Field');
    const add = async (form: object | null, bookings: Payment[], destination?: object) => {
      const { id } = await anAffiliate(place.asService, {}, program);
      await pay(place.ctx, program, id, bookings);
      if (form) assert.equal((await submit(id, form, program)).status, 201);
      const path = `${program.path}/affiliates/${id}/payout-details`;
      if (destination) assert.equal((await place.asService.request('POST', path, { body: destination, key: program.key })).status, 201);
      return id;
    };
    const iban = { method: 'bank', holder: 'Z. <Quix>', country: 'DE', currency: 'EUR', iban: 'DE89370400440532013000' };
    const ada = await add(dac7, [['2025-02-01T00:00:00Z', 10_050], ['2025-11-01T00:00:00Z', 149]], iban); // biome-ignore format: a row
    const firm = await add({ ...dac7, ...company, tin: undefined }, [['2025-05-01T00:00:00Z', 20_000]], {
      method: 'paypal',
      email: 'q@x.example',
    });
    await add(w9, [['2025-05-01T00:00:00Z', 20_000]]);
    const out = join(place.folder, 'dac7.xml');
    const command = ['tax', 'dac7', '--program', program.programId, '--year', '2025'];
    const whole = ['--operator-country', 'DE', '--operator-tin', '12/345', '--operator-address', '1 <Main> Street'];
    const done = await place.tributary(...command, '--out', out, ...whole);
    assert.equal(done.code, 0, done.stderr);
    const xml = readFileSync(out, 'utf8');
    assert.equal(statSync(out).mode & 0o777, 0o600);
    assert.equal(xml.match(/<ReportableSeller>/g)?.length, 2);
    const flat = xml.replace(/>\s+</g, '><');
    for (const part of [
      '<Name>Fern &amp; Field</Name>',
      '<AddressFree>1 &lt;Main&gt; Street</AddressFree>',
      '<Name><FirstName>Zebulon</FirstName><LastName>Quix &amp; Söhne</LastName></Name>',
      '<TIN issuedBy="DE">DETIN-556677</TIN><VAT>DE123456789</VAT>',
      '<BirthInfo><BirthDate>1980-12-31</BirthDate></BirthInfo>',
      '<Identifier AccountNumberType="IBAN">DE89370400440532013000</Identifier><AccountHolderName>Z. &lt;Quix&gt;</AccountHolderName>',
      '<ConsQ1 currCode="USD">101</ConsQ1><ConsQ2 currCode="USD">0</ConsQ2><ConsQ3 currCode="USD">0</ConsQ3><ConsQ4 currCode="USD">1</ConsQ4>',
      '<NumbQ1>1</NumbQ1><NumbQ2>0</NumbQ2><NumbQ3>0</NumbQ3><NumbQ4>1</NumbQ4>',
      '<TIN unknown="true">NOTIN</TIN><IN issuedBy="DE" INType="BRN">HRB 4711</IN>',
      '<Name>Quix GmbH</Name>',
      '<Identifier AccountNumberType="PayPal">q@x.example</Identifier>',
      '<ReportingPeriod>2025-12-31</ReportingPeriod>',
    ])
      assert.ok(flat.includes(part), `${part} in ${flat}`);
    for (const id of [ada, firm]) assert.ok(xml.includes(`-${id}</stf:DocRefId>`));
    const withoutForm = await add(null, [['2025-05-01T00:00:00Z', 1]]);
    const lacking = await place.tributary(...command, '--out', `${out}2`);
    assert.equal(lacking.code, 2);
    assert.ok(lacking.stderr.includes(withoutForm) && lacking.stderr.includes('--operator-tin'));
  });
});
