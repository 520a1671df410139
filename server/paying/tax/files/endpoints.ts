// Tax files for members who may read tax numbers, with a recent second factor. No API key can read them (Contract §2.1), and
// each export is in the audit log.
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import { Document, endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countryIn, optionalLine } from '../../../platform/http/declaration/fields.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { recordExport } from '../read-filing.ts';
import { create1099, createDac7 } from './create-files.ts';

const year = z
  .int('must be a year like 2026')
  .min(2000, 'must be a year like 2026')
  .max(2099, 'must be a year like 2026')
  .describe("The calendar year of the payouts, in the program's time zone.");
const text = optionalLine(200).default('');

const shared = { scope: 'write', requires: 'tax.read', isUserOnly: true, isSensitive: true, hasSecretResponse: true, tag: 'Tax' } as const;

export const create1099File = endpoint({
  id: 'taxFiles.create1099',
  route: 'POST /app/programs/:programId/tax/1099-nec',
  ...shared,
  summary: 'Create the rows of Form 1099-NEC',
  description:
    'CSV with one row per affiliate with a W-9 who was paid at least the threshold of the year, except corporations. The columns are ' +
    'those that filing services import.',
  body: z
    .object({
      year,
      payerName: optionalLine(200).nullable().default(null).describe("Default: the program's name."),
      payerTin: text.describe("The payer's taxpayer identification number."),
      payerAddress: text.describe("The payer's street address."),
      payerCity: text.describe("The payer's city."),
      payerState: text.describe("The payer's state."),
      payerZip: text.describe("The payer's ZIP code."),
      payerPhone: text.describe("The payer's phone number."),
    })
    .meta({ id: 'Create1099', example: { year: 2026, payerName: 'Fern & Field Inc.', payerTin: '12-3456789' } }),
  statuses: [200],
  media: ['text/csv'],
  result: z.string().meta({ example: 'Tax Year,Payer TIN,Payer Name\r\n2026,12-3456789,Fern & Field Inc.\r\n' }),
  errors: [{ status: 400, code: 'not_in_us_dollars', when: 'The program pays in another currency.' }],
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const { currency } = await getProgram(tx, programId);
    if (currency !== 'USD') throw new InvalidState('not_in_us_dollars', `1099 forms are in US dollars; this program pays in ${currency}.`);
    const payer = {
      name: body.payerName || null,
      tin: body.payerTin,
      address: body.payerAddress,
      city: body.payerCity,
      state: body.payerState,
      zip: body.payerZip,
      phone: body.payerPhone,
    };
    const file = await create1099(tx, { programId, year: body.year, payer });
    await recordExport(tx, { programId, actor, kind: '1099', year: body.year, count: file.count });
    return new Document('text/csv; charset=utf-8', file.text, `1099-nec-${body.year}.csv`);
  },
});

export const createDac7File = endpoint({
  id: 'taxFiles.createDac7',
  route: 'POST /app/programs/:programId/tax/dac7',
  ...shared,
  summary: 'Create the DAC7 report',
  description: 'XML of all affiliates with a DAC7 form who were paid in the year, by quarter, in the format of the OECD (DPI 1.0).',
  body: z
    .object({
      year,
      operatorName: optionalLine(200).nullable().default(null).describe("Default: the program's name."),
      operatorCountry: countryIn.describe('The country you report to.'),
      operatorTin: text.describe("The operator's tax number in that country."),
      operatorAddress: text.describe("The operator's registered address."),
    })
    .meta({ id: 'CreateDac7', example: { year: 2026, operatorCountry: 'DE', operatorTin: '12/345/67890' } }),
  statuses: [200],
  media: ['application/xml'],
  result: z.string().meta({ example: '<?xml version="1.0" encoding="UTF-8"?>' }),
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const { operatorName, operatorCountry: country, operatorTin, operatorAddress } = body;
    const operator = { name: operatorName || null, country, tin: operatorTin || null, address: operatorAddress || null };
    const file = await createDac7(tx, { programId, year: body.year, operator });
    await recordExport(tx, { programId, actor, kind: 'dac7', year: body.year, count: file.count });
    return new Document('application/xml; charset=utf-8', file.text, `dac7-${body.year}.xml`);
  },
});
