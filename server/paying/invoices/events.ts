import type { Tx } from '../../context.ts';
import { defineEvent } from '../../messaging/events/define.ts';
import { type EventOrigin, recordEvents } from '../../messaging/events/record.ts';
import { type Invoice, InvoiceShape, toInvoices } from './invoice.ts';

export const invoiceIssued = defineEvent({
  type: 'invoice.issued',
  object: 'invoice',
  isCreation: true,
  data: InvoiceShape,
  summary: 'A payout was paid, and its invoice was issued.',
});

export const invoiceCancelled = defineEvent({
  type: 'invoice.cancelled',
  object: 'invoice',
  isCreation: true,
  data: InvoiceShape,
  summary: 'A payout was returned, and its invoice was cancelled. The event has the cancellation; `cancelsId` is the invoice.',
});

/** Records the events of documents that were just issued. */
export async function recordInvoiceEvents(tx: Tx, origin: EventOrigin, rows: readonly Invoice[]): Promise<void> {
  const invoices = await toInvoices(tx, origin.programId, rows);
  const events = invoices.map((data) => {
    const event = data.kind === 'invoice' ? invoiceIssued : invoiceCancelled;
    return event.of({ objectId: data.id, affiliateId: data.affiliateId, data });
  });
  await recordEvents(tx, origin, events);
}
