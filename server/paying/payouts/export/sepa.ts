// A SEPA credit transfer initiation (ISO 20022 pain.001.001.09), as banks in the euro area take it: one debit of the
// brand's account for each receiver, in euros, IBAN to IBAN.

import { toDecimal } from '../../../platform/lib/currency.ts';
import { type Html, html } from '../../../platform/lib/html.ts';
import { sumOf } from '../../../platform/lib/money.ts';
import { type FileOf, type Payable, type Payer, referenceOf } from './payable.ts';

export const sepa: FileOf = {
  mediaType: 'application/xml; charset=utf-8',
  extension: 'xml',
  fits: ({ destination, currency }) => currency === 'EUR' && destination?.method === 'bank' && destination.iban !== undefined,
  write(payables, { payer, batchId, at }) {
    const id = batchId.replaceAll('-', '').slice(-30);
    const total = toDecimal(sumOf(payables.map(({ amountCents }) => amountCents)), 'EUR');
    const sums = html`<NbOfTxs>${String(payables.length)}</NbOfTxs><CtrlSum>${total}</CtrlSum>`;
    const document = html`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${at.toISOString().slice(0, 19)}</CreDtTm>${sums}<InitgPty><Nm>${plain(payer.name)}</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${sums}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
<ReqdExctnDt><Dt>${at.toISOString().slice(0, 10)}</Dt></ReqdExctnDt>
<Dbtr><Nm>${plain(payer.name)}</Nm></Dbtr>${account('Dbtr', payer.iban)}${agent('Dbtr', payer.bic)}<ChrgBr>SLEV</ChrgBr>
${payables.flatMap((payable) => transfer(payable, payer) ?? [])}</PmtInf>
</CstmrCdtTrfInitn></Document>
`;
    return `<?xml version="1.0" encoding="UTF-8"?>\n${document.html}`;
  },
};

function transfer(payable: Payable, payer: Payer): Html | null {
  const { destination, amountCents } = payable;
  if (destination?.method !== 'bank') return null;
  const reference = referenceOf(payable);
  return html`<CdtTrfTxInf><PmtId><EndToEndId>${reference}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">${toDecimal(amountCents, 'EUR')}</InstdAmt></Amt>
${destination.bic ? agent('Cdtr', destination.bic) : null}<Cdtr><Nm>${plain(destination.holder)}</Nm></Cdtr>${account('Cdtr', destination.iban ?? '')}
<RmtInf><Ustrd>${plain(`${payer.name} commission ${reference}`)}</Ustrd></RmtInf></CdtTrfTxInf>
`;
}

function account(whose: 'Dbtr' | 'Cdtr', iban: string | null): Html {
  const id = html`<Id><IBAN>${iban ?? ''}</IBAN></Id>`;
  return whose === 'Dbtr' ? html`<DbtrAcct>${id}</DbtrAcct>` : html`<CdtrAcct>${id}</CdtrAcct>`;
}

/** Inside SEPA a bank is known by the IBAN; whoever has no BIC says so. */
function agent(whose: 'Dbtr' | 'Cdtr', bic: string | null): Html {
  const bank = html`<FinInstnId>${bic ? html`<BICFI>${bic}</BICFI>` : html`<Othr><Id>NOTPROVIDED</Id></Othr>`}</FinInstnId>`;
  return whose === 'Dbtr' ? html`<DbtrAgt>${bank}</DbtrAgt>` : html`<CdtrAgt>${bank}</CdtrAgt>`;
}

/** The characters that every bank takes: letters lose their marks, anything else becomes a dot. At most 70. */
function plain(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('Ø', 'O').replaceAll('ø', 'o');
  return bare.replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.').slice(0, 70);
}
