// The words of receipts in each language. Pure.
import type { PayoutStatus } from '../payout.ts';
import type { ReceiptLanguage, ReceiptLine } from './receipt.ts';

type Words = {
  title: string;
  status: string;
  paidBy: string;
  paidTo: string;
  date: string;
  period: string;
  /** Before the amount of the program's currency and the rate. */
  converted: string;
  commissions: string;
  reference: string;
  noReference: string;
  payout: string;
  total: string;
  order: string;
  lead: string;
  others: (count: number) => string;
  statuses: Record<PayoutStatus, string>;
  kinds: Record<ReceiptLine['kind'], string>;
};

export const words: Record<ReceiptLanguage, Words> = {
  en: {
    title: 'Payout receipt',
    status: 'Status',
    paidBy: 'Paid by',
    paidTo: 'Paid to',
    date: 'Date',
    period: 'Period',
    converted: 'Converted from',
    commissions: 'Commissions',
    reference: 'Reference',
    noReference: 'None',
    payout: 'Payout',
    total: 'Total',
    order: 'order',
    lead: 'lead',
    others: (count) => `${count} other commissions`,
    statuses: {
      queued: 'Being prepared',
      sending: 'On its way',
      sent: 'On its way',
      reconcile_required: 'On its way',
      paid: 'Paid',
      failed: 'Failed',
      returned: 'Returned',
      cancelled: 'Cancelled',
    },
    kinds: { order: 'Commission', adjustment: 'Adjustment', bonus: 'Bonus', lead: 'Commission' },
  },
  de: {
    title: 'Auszahlungsbeleg',
    status: 'Status',
    paidBy: 'Bezahlt von',
    paidTo: 'Bezahlt an',
    date: 'Datum',
    period: 'Zeitraum',
    converted: 'Umgerechnet aus',
    commissions: 'Provisionen',
    reference: 'Referenz',
    noReference: 'Keine',
    payout: 'Auszahlung',
    total: 'Summe',
    order: 'Bestellung',
    lead: 'Lead',
    others: (count) => `${count} weitere Provisionen`,
    statuses: {
      queued: 'In Vorbereitung',
      sending: 'Unterwegs',
      sent: 'Unterwegs',
      reconcile_required: 'Unterwegs',
      paid: 'Bezahlt',
      failed: 'Fehlgeschlagen',
      returned: 'Zurückgekommen',
      cancelled: 'Storniert',
    },
    kinds: { order: 'Provision', adjustment: 'Anpassung', bonus: 'Bonus', lead: 'Provision' },
  },
};

/** "Commission, order FF-10023" */
export function describeLine({ kind, orderId, lead, reason }: ReceiptLine, language: ReceiptLanguage): string {
  const { kinds, order, lead: leadName } = words[language];
  return [kinds[kind], orderId && `${order} ${orderId}`, lead && `${leadName} ${lead}`, reason].filter(Boolean).join(', ');
}
