// Changes the issuer. Invoices that were issued keep the details that they have.
import { lockPrograms } from '../../../accounts/programs/lock-program.ts';
import type { Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { Invalid, InvalidState } from '../../../platform/lib/errors.ts';
import { isInEu, requireVatIdOf } from '../vat.ts';
import { findIssuer, type Issuer, IssuerSettings, IssuerShape, toIssuer } from './issuer.ts';

export const updateInvoiceIssuer = endpoint({
  id: 'invoiceIssuer.update',
  route: 'PATCH /v1/programs/:programId/invoice-issuer',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Invoices',
  summary: 'Update the issuer of invoices',
  description:
    'Omitted fields keep their value. While it is active, each payout that is paid to an affiliate who agreed to self-billing has an ' +
    'invoice. Earlier payouts get none, and invoices that were issued keep the details that they have.',
  body: IssuerSettings.partial().meta({
    id: 'InvoiceIssuerUpdate',
    example: { isActive: true, legalName: 'Fern & Field GmbH', country: 'DE', vatId: 'DE811907980', vatRatePercent: 19 },
  }),
  statuses: [200],
  result: IssuerShape,
  errors: [{ status: 400, code: 'issuer_country_in_use', when: 'Affiliates have agreed to invoices from the present country.' }],
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    await lockPrograms(tx, [programId]);
    const present = await findIssuer(tx, programId);
    const change = difference(present, body);
    if (!change) return toIssuer(present);
    const next: Issuer = { ...present, ...change.after, version: present.version + 1, createdAt: tx.clock.now() };
    requireComplete(next);
    if (present.country !== null && present.country !== next.country) await requireUnused(tx, programId);
    await insert(tx, programId, next);
    await recordChange(tx, { programId, actor, action: 'invoice_issuer.updated', subjectId: programId, ...change });
    return toIssuer(next);
  },
});

/** What an invoice must say can't be missing while invoices are issued. */
function requireComplete({ isActive, ...issuer }: Issuer): void {
  const { country, vatId } = issuer;
  if (vatId !== null && country !== null) requireVatIdOf(country, vatId);
  if (!isActive) return;
  const required: (keyof typeof issuer)[] = ['legalName', 'street', 'city', 'country'];
  if (country !== null && isInEu(country)) required.push('vatId', 'vatRatePercent');
  const missing = required.filter((field) => issuer[field] === null);
  if (missing.length > 0) throw new Invalid(missing.map((field) => ({ path: [field], message: 'is required to issue invoices' })));
}

/** The details of an affiliate were checked for invoices from this country. */
async function requireUnused(tx: Tx, programId: string): Promise<void> {
  const details = tx.db.selectFrom('invoiceDetails').select('affiliateId').where('programId', '=', programId);
  if (await details.limit(1).executeTakeFirst())
    throw new InvalidState(
      'issuer_country_in_use',
      'Affiliates have agreed to invoices from this country. A company in another country needs another program.',
    );
}

async function insert(tx: Tx, programId: string, { vatRatePercent, createdAt, ...issuer }: Issuer): Promise<void> {
  const row = { programId, ...issuer, vatRate: vatRatePercent, createdAt: createdAt ?? tx.clock.now() };
  await tx.db.insertInto('invoiceIssuers').values(row).execute();
}
