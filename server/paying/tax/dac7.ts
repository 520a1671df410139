// The DAC7 report: an OECD DPI message (schema 1.0, which the EU's 1.1 is compatible with) about every seller with a DAC7
// form. Amounts are whole units of the currency, by quarter; referring orders is a personal service. Pure.

import type { Destination } from '../../connections/rails/rail.ts';
import { currencyDecimals } from '../../platform/lib/currency.ts';
import { type Html, html, trustedHtml } from '../../platform/lib/html.ts';
import { divideRounded } from '../../platform/lib/money.ts';
import { compact } from '../payout-details/bank-account.ts';
import type { Dac7Form } from './form-fields.ts';
import type { QuarterTotal } from './paid-totals.ts';
import type { Filed } from './read-filing.ts';

/** The platform operator. XX and NOTIN are written for missing details. */
export type Operator = { name: string; country: string; tin: string | null; address: string | null };

type Seller = Filed<Dac7Form> & { destination: Destination | null };
type Message = { year: number; currency: string; operator: Operator; at: Date; reference: string; isTest: boolean };

export function buildDac7Report(sellers: readonly Seller[], message: Message): string {
  const { operator, year, at, reference } = message;
  const document = html`<DPI_OECD xmlns="urn:oecd:ties:dpi:v1" xmlns:stf="urn:oecd:ties:dpistf:v1" version="1.0">
<MessageSpec>
${operator.tin ? element('SendingEntityIN', operator.tin) : null}${element('TransmittingCountry', operator.country)}${element('ReceivingCountry', operator.country)}${element('MessageType', 'DPI')}${element('MessageRefId', `${operator.country}${year}${operator.country}-${reference}`)}${element('MessageTypeIndic', sellers.length > 0 ? 'DPI401' : 'DPI403')}${element('ReportingPeriod', `${year}-12-31`)}${element('Timestamp', at.toISOString().slice(0, 23))}</MessageSpec>
<DPIBody>
${buildPlatformOperator(message)}${sellers.map((seller) => buildReportableSeller(seller, message))}</DPIBody>
</DPI_OECD>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document.html}`;
}

function buildPlatformOperator({ operator, ...message }: Message): Html {
  const { name, country, tin, address } = operator;
  return group('PlatformOperator', [
    element('ResCountryCode', country),
    buildTaxNumber(tin, country),
    element('Name', name),
    element('PlatformBusinessName', name),
    html`<Address legalAddressType="OECD304">${element('CountryCode', country)}${element('AddressFree', address ?? 'unknown')}</Address>\n`,
    element('Nexus', 'RPONEX1'),
    element('AssumedReporting', 'false'),
    buildDocSpec(`${country}${message.year}-${message.reference}-operator`, message.isTest),
  ]);
}

function buildReportableSeller(
  { form, quarters, destination, affiliateId }: Seller,
  { currency, year, operator, reference, isTest }: Message,
): Html {
  const isPerson = form.sellerType === 'individual';
  const amounts = (name: string, toNumber: (quarter: QuarterTotal) => number): Html[] =>
    quarters.map((quarter, index) => {
      const tag = trustedHtml(`${name}Q${index + 1}`);
      return html`<${tag} currCode="${currency}">${toNumber(quarter)}</${tag}>\n`;
    });
  const identity = [
    group(isPerson ? 'IndSellerID' : 'EntSellerID', isPerson ? buildPerson(form) : buildEntity(form)),
    buildFinancialIdentifier(form, destination),
  ];
  return group('ReportableSeller', [
    group('Identity', [group(isPerson ? 'IndividualSeller' : 'EntitySeller', [group('Standard', identity)])]),
    group('RelevantActivities', [
      group('PersonalServices', [
        group(
          'Consideration',
          amounts('Cons', ({ amountCents }) => toWholeUnits(amountCents, currency)),
        ),
        group(
          'NumberOfActivities',
          quarters.map(({ payoutCount }, index) => element(`NumbQ${index + 1}`, String(payoutCount))),
        ),
        group(
          'Fees',
          amounts('Fees', () => 0),
        ),
        group(
          'Taxes',
          amounts('Tax', () => 0),
        ),
      ]),
    ]),
    buildDocSpec(`${operator.country}${year}-${reference}-${affiliateId}`, isTest),
  ]);
}

function buildPerson({
  firstName = '',
  lastName = '',
  tin,
  tinCountry,
  vatId,
  address,
  birthDate = '',
  birthCity,
}: Dac7Form): (Html | null)[] {
  return [
    element('ResCountryCode', tinCountry),
    buildTaxNumber(tin ?? null, tinCountry),
    optional('VAT', vatId),
    group('Name', [element('FirstName', firstName), element('LastName', lastName)]),
    buildAddress(address, 'OECD302'),
    group('BirthInfo', [
      element('BirthDate', birthDate),
      birthCity ? group('BirthPlace', [element('City', birthCity), group('CountryInfo', [element('CountryCode', tinCountry)])]) : null,
    ]),
  ];
}

function buildEntity({ legalName = '', registrationNumber, tin, tinCountry, vatId, address }: Dac7Form): (Html | null)[] {
  return [
    element('ResCountryCode', tinCountry),
    buildTaxNumber(tin ?? null, tinCountry),
    registrationNumber ? html`<IN issuedBy="${tinCountry}" INType="BRN">${registrationNumber}</IN>\n` : null,
    optional('VAT', vatId),
    element('Name', legalName),
    buildAddress(address, 'OECD303'),
  ];
}

function buildAddress({ street, buildingNumber, postalCode, city, region, country }: Dac7Form['address'], legalType: string): Html {
  const fixed = group('AddressFix', [
    element('Street', street),
    optional('BuildingIdentifier', buildingNumber),
    optional('PostCode', postalCode),
    element('City', city),
    optional('CountrySubentity', region),
  ]);
  return html`<Address legalAddressType="${legalType}">${element('CountryCode', country)}${fixed}</Address>\n`;
}

/** The account that payouts are sent to. */
function buildFinancialIdentifier({ accountHolder }: Dac7Form, destination: Destination | null): Html | null {
  if (!destination) return null;
  const [type, identifier] = identifyAccount(destination);
  const holder = accountHolder ?? (destination.method === 'bank' ? destination.holder : undefined);
  return html`<FinancialIdentifier><Identifier AccountNumberType="${type}">${identifier}</Identifier>${optional('AccountHolderName', holder)}</FinancialIdentifier>\n`;
}

function identifyAccount(destination: Destination): [type: string, identifier: string] {
  switch (destination.method) {
    case 'paypal':
      return ['PayPal', destination.email];
    case 'stripe':
      return ['Stripe', destination.accountId];
    case 'wise':
      return ['Wise', destination.recipientId];
    case 'external':
      return ['Other', destination.account];
    case 'bank':
      return destination.iban ? ['IBAN', compact(destination.iban)] : ['OBAN', Object.values(destination.fields ?? {}).join(' ')];
  }
}

function buildTaxNumber(tin: string | null, country: string): Html {
  return tin ? html`<TIN issuedBy="${country}">${tin}</TIN>\n` : html`<TIN unknown="true">NOTIN</TIN>\n`;
}

function buildDocSpec(id: string, isTest: boolean): Html {
  return html`<DocSpec><stf:DocTypeIndic>${isTest ? 'OECD11' : 'OECD1'}</stf:DocTypeIndic><stf:DocRefId>${id}</stf:DocRefId></DocSpec>\n`;
}

function toWholeUnits(cents: number, currency: string): number {
  return Number(divideRounded(BigInt(cents), 10n ** BigInt(currencyDecimals(currency))));
}

function group(name: string, parts: readonly (Html | null)[]): Html {
  return html`<${trustedHtml(name)}>\n${parts.filter((part) => part !== null)}</${trustedHtml(name)}>\n`;
}

function element(name: string, text: string): Html {
  return html`<${trustedHtml(name)}>${text}</${trustedHtml(name)}>\n`;
}

function optional(name: string, text: string | undefined): Html | null {
  return text === undefined ? null : element(name, text);
}
