// A SEPA credit transfer initiation (ISO 20022 pain.001.001.09), as banks in the euro area accept it: one transfer per
// payee from the payer's account, in euros, IBAN to IBAN.
import { toDecimal } from '../../../platform/lib/currency.ts';
import { type Html, html } from '../../../platform/lib/html.ts';
import { sumOf } from '../../../platform/lib/money.ts';
import { type FileFormat, type FilePayment, type Payer, toReference } from './payment-file.ts';

export const sepa: FileFormat = {
  mediaType: 'application/xml; charset=utf-8',
  extension: 'xml',
  supports: ({ destination, currency }) => currency === 'EUR' && destination?.method === 'bank' && destination.iban !== undefined,
  write(payments, { payer, batchId, createdAt }) {
    const id = batchId.replaceAll('-', '').slice(-30);
    const total = toDecimal(sumOf(payments.map(({ amountCents }) => amountCents)), 'EUR');
    const sums = html`<NbOfTxs>${String(payments.length)}</NbOfTxs><CtrlSum>${total}</CtrlSum>`;
    const time = createdAt.toISOString();
    const document = html`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${time.slice(0, 19)}</CreDtTm>${sums}<InitgPty><Nm>${toSepaText(payer.name)}</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${sums}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
<ReqdExctnDt><Dt>${time.slice(0, 10)}</Dt></ReqdExctnDt>
<Dbtr><Nm>${toSepaText(payer.name)}</Nm></Dbtr>${writeAccount('Dbtr', payer.iban)}${writeAgent('Dbtr', payer.bic)}<ChrgBr>SLEV</ChrgBr>
${payments.flatMap((payment) => writeTransfer(payment, payer) ?? [])}</PmtInf>
</CstmrCdtTrfInitn></Document>
`;
    return `<?xml version="1.0" encoding="UTF-8"?>\n${document.html}`;
  },
};

function writeTransfer(payment: FilePayment, payer: Payer): Html | null {
  const { destination, amountCents } = payment;
  if (destination?.method !== 'bank') return null;
  const reference = toReference(payment);
  const amount = toDecimal(amountCents, 'EUR');
  return html`<CdtTrfTxInf><PmtId><EndToEndId>${reference}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt>
${destination.bic ? writeAgent('Cdtr', destination.bic) : null}<Cdtr><Nm>${toSepaText(destination.holder)}</Nm></Cdtr>${writeAccount('Cdtr', destination.iban ?? '')}
<RmtInf><Ustrd>${toSepaText(`${payer.name} commission ${reference}`)}</Ustrd></RmtInf></CdtTrfTxInf>
`;
}

function writeAccount(party: 'Dbtr' | 'Cdtr', iban: string | null): Html {
  const id = html`<Id><IBAN>${iban ?? ''}</IBAN></Id>`;
  return party === 'Dbtr' ? html`<DbtrAcct>${id}</DbtrAcct>` : html`<CdtrAcct>${id}</CdtrAcct>`;
}

/** Within SEPA the IBAN identifies the bank, so a missing BIC is marked as not provided. */
function writeAgent(party: 'Dbtr' | 'Cdtr', bic: string | null): Html {
  const bank = html`<FinInstnId>${bic ? html`<BICFI>${bic}</BICFI>` : html`<Othr><Id>NOTPROVIDED</Id></Othr>`}</FinInstnId>`;
  return party === 'Dbtr' ? html`<DbtrAgt>${bank}</DbtrAgt>` : html`<CdtrAgt>${bank}</CdtrAgt>`;
}

/** The characters that every bank accepts: letters lose their accents, anything else becomes a dot. At most 70. */
function toSepaText(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('Ø', 'O').replaceAll('ø', 'o');
  return plain.replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.').slice(0, 70);
}
