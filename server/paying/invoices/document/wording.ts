// The words of invoices in each language, with what the law requires in each case of VAT. Pure.
import type { VatCase } from '../../tax/vat-case.ts';
import type { InvoiceLanguage } from '../details/details.ts';
import { isInEu } from '../vat.ts';

export type Words = {
  title: string;
  number: string;
  date: string;
  cancels: string;
  period: string;
  payout: string;
  supplier: string;
  recipient: string;
  vatId: string;
  taxNumber: string;
  service: string;
  net: string;
  vat: string;
  total: string;
  /** What was paid, if it was in another currency. */
  paid: string;
  /** Whole sentences below the amounts. */
  notes: string[];
};

type Facts = {
  language: InvoiceLanguage;
  isCancellation: boolean;
  vatCase: VatCase;
  /** The countries of the affiliate, who supplies the service, and of the program, which receives it. */
  supplierCountry: string;
  recipientCountry: string;
};

type Labels = Omit<Words, 'title' | 'notes'>;

const labels: Record<InvoiceLanguage, Labels> = {
  en: {
    number: 'Number',
    date: 'Date',
    cancels: 'Cancels',
    period: 'Period of the service',
    payout: 'Payout',
    supplier: 'Supplier of the service',
    recipient: 'Recipient of the service, issuer',
    vatId: 'VAT ID',
    taxNumber: 'Tax number',
    service: 'Affiliate commissions',
    net: 'Net amount',
    vat: 'VAT',
    total: 'Total',
    paid: 'Paid',
  },
  de: {
    number: 'Nummer',
    date: 'Datum',
    cancels: 'Storniert',
    period: 'Leistungszeitraum',
    payout: 'Auszahlung',
    supplier: 'Leistender Unternehmer',
    recipient: 'Leistungsempfänger, Aussteller',
    vatId: 'USt-IdNr.',
    taxNumber: 'Steuernummer',
    service: 'Vermittlungsprovisionen',
    net: 'Nettobetrag',
    vat: 'Umsatzsteuer',
    total: 'Gesamtbetrag',
    paid: 'Gezahlt',
  },
};

export function wordsOf(facts: Facts): Words {
  return { ...labels[facts.language], title: titleOf(facts), notes: notesOf(facts) };
}

/** The law of Germany and Austria requires the word "Gutschrift". */
function titleOf({ language, isCancellation, supplierCountry, recipientCountry }: Facts): string {
  if (language === 'de') return isCancellation ? 'Storno einer Gutschrift' : 'Gutschrift';
  const title = isCancellation ? 'Cancellation of a self-billing invoice' : 'Self-billing invoice';
  const needsWord = [supplierCountry, recipientCountry].some((country) => country === 'DE' || country === 'AT');
  return needsWord ? `${title} (Gutschrift)` : title;
}

function notesOf(facts: Facts): string[] {
  const { language, isCancellation } = facts;
  const issued = {
    en: 'Issued by the recipient of the service (self-billing).',
    de: 'Ausgestellt vom Leistungsempfänger (Gutschriftverfahren).',
  };
  const returned = {
    en: 'The payment was returned. This document cancels the invoice in full.',
    de: 'Die Zahlung ist zurückgekommen. Dieses Dokument storniert die Gutschrift vollständig.',
  };
  return [...(isCancellation ? [returned[language]] : []), ...vatNotesOf(facts), issued[language]];
}

function vatNotesOf({ language, vatCase, supplierCountry, recipientCountry }: Facts): string[] {
  switch (vatCase) {
    case 'domestic':
      return [{ en: 'The total includes VAT.', de: 'Der Gesamtbetrag enthält die Umsatzsteuer.' }[language]];
    case 'reverse_charge':
      return [
        {
          en: 'Reverse charge: the recipient of the service owes the VAT (Steuerschuldnerschaft des Leistungsempfängers).',
          de: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse charge).',
        }[language],
      ];
    case 'small_business':
      return [smallBusinessNote(language, supplierCountry)];
    case 'outside_eu': {
      const none = {
        en: 'Not taxable (outside the European Union): no VAT is charged.',
        de: 'Nicht steuerbar (außerhalb der Europäischen Union): Es wird keine Umsatzsteuer ausgewiesen.',
      };
      const accounted = {
        en: 'Where the law of its country requires it, the recipient of the service accounts for the VAT.',
        de: 'Wo das Recht seines Landes es verlangt, schuldet der Leistungsempfänger die Umsatzsteuer.',
      };
      return isInEu(recipientCountry) ? [none[language], accounted[language]] : [none[language]];
    }
    default:
      return vatCase satisfies never;
  }
}

function smallBusinessNote(language: InvoiceLanguage, country: string): string {
  const laws: Record<string, string> = { DE: '§ 19 UStG', AT: '§ 6 Abs. 1 Z 27 UStG' };
  const law = laws[country];
  if (law) {
    const german = `Kein Ausweis von Umsatzsteuer, ${law}`;
    return language === 'de' ? `${german} (Kleinunternehmer).` : `No VAT is charged: small business (${german}).`;
  }
  const directive = { en: ', Article 284 of Directive 2006/112/EC', de: ', Artikel 284 der Richtlinie 2006/112/EG' }[language];
  const basis = isInEu(country) ? directive : '';
  return language === 'de' ? `Kein Ausweis von Umsatzsteuer (Kleinunternehmer${basis}).` : `No VAT is charged (small business${basis}).`;
}
