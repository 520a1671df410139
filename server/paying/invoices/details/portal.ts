// The affiliate agrees to self-billing, with what the invoices say, and can withdraw the agreement. Invoices that were issued
// stay.
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { lockAffiliate } from '../../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../../platform/http/declaration/fields.ts';
import type { AffiliatePrincipal } from '../../../platform/http/declaration/principal.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { findIssuer } from '../issuer/issuer.ts';
import { encryptDetails, findDetails, InvoiceDetails, InvoiceLanguage, requireTaxNumbers } from './details.ts';

/** Applicants can't: nothing is paid to them. An affiliate who left is still paid what was earned. */
const statuses = ['active', 'suspended', 'archived'] as const;

const PortalInvoiceDetails = z
  .object({
    isOffered: z.boolean().describe('Whether the program issues invoices.'),
    issuerName: z.string().nullable().describe('The legal name of the program’s company.'),
    issuerCountry: z.string().nullable(),
    isAgreed: z.boolean().describe('Whether payouts from now on have an invoice.'),
    agreedAt: timestampOut.nullable().describe('When the affiliate last agreed; null without an agreement.'),
    country: z.string().nullable(),
    isSmallBusiness: z.boolean(),
    language: InvoiceLanguage,
  })
  .meta({
    id: 'PortalInvoiceDetails',
    example: {
      isOffered: true,
      issuerName: 'Fern & Field GmbH',
      issuerCountry: 'DE',
      isAgreed: true,
      agreedAt: '2026-11-02T09:30:00.000Z',
      country: 'DE',
      isSmallBusiness: false,
      language: 'de',
    },
  });

const shared = { scope: 'affiliate', affiliateStatuses: statuses, tag: 'Portal', statuses: [200], result: PortalInvoiceDetails } as const;

export const getPortalInvoiceDetails = endpoint({
  id: 'portal.invoiceDetails',
  route: 'GET /app/portal/:programId/invoice-details',
  summary: 'Get the agreement to invoices',
  description: 'Whether the affiliate has agreed to self-billing, and for which country. What the invoices say is not returned.',
  ...shared,
  handle: (ctx, { actor }) => readPortalDetails(ctx, actor),
});

export const agreePortalInvoices = endpoint({
  id: 'portal.agreeInvoices',
  route: 'POST /app/portal/:programId/invoice-details',
  isSensitive: true,
  summary: 'Agree to invoices that the program issues',
  description:
    'Sets what the invoices say, and records the agreement to self-billing with its time. Payouts that are paid from now on have an ' +
    'invoice. Later changes apply to later invoices only.',
  body: InvoiceDetails,
  errors: [{ status: 400, code: 'invoices_not_offered', when: 'The program issues no invoices.' }],
  ...shared,
  handle: (ctx, { actor, body }) => transact(ctx, (tx) => agree(tx, actor, body)),
});

export const withdrawPortalInvoices = endpoint({
  id: 'portal.withdrawInvoices',
  route: 'DELETE /app/portal/:programId/invoice-details',
  isSensitive: true,
  summary: 'Withdraw the agreement to invoices',
  description: 'Payouts that are paid from now on have no invoice. Invoices that were issued stay.',
  ...shared,
  handle: (ctx, { actor }) => transact(ctx, (tx) => withdraw(tx, actor)),
});

async function agree(tx: Tx, actor: AffiliatePrincipal, body: InvoiceDetails) {
  const { programId, affiliateId } = actor;
  const { isActive, country: issuerCountry } = await findIssuer(tx, programId);
  if (!isActive || issuerCountry === null) throw new InvalidState('invoices_not_offered', 'This program issues no invoices.');
  requireTaxNumbers(body, issuerCountry);
  await lockAffiliate(tx, programId, affiliateId);
  const { isSmallBusiness, language, agrees: _agrees, ...printed } = body;
  const version = ((await findDetails(tx, programId, affiliateId))?.version ?? 0) + 1;
  const { country } = printed;
  await tx.db
    .insertInto('invoiceDetails')
    .values({
      programId,
      affiliateId,
      version,
      isAgreed: true,
      encryptedDetails: encryptDetails(tx.vault, printed, { affiliateId, version }),
      country,
      isSmallBusiness,
      language,
      createdAt: tx.clock.now(),
    })
    .execute();
  const after = { country, isSmallBusiness, language };
  await recordChange(tx, { programId, actor, action: 'invoice_details.agreed', subjectId: affiliateId, after });
  return readPortalDetails(tx, actor);
}

async function withdraw(tx: Tx, actor: AffiliatePrincipal) {
  const { programId, affiliateId } = actor;
  await lockAffiliate(tx, programId, affiliateId);
  const former = await findDetails(tx, programId, affiliateId);
  if (former?.isAgreed) {
    const { isSmallBusiness, language } = former;
    const row = {
      programId,
      affiliateId,
      version: former.version + 1,
      isAgreed: false,
      isSmallBusiness,
      language,
      createdAt: tx.clock.now(),
    };
    await tx.db.insertInto('invoiceDetails').values(row).execute();
    await recordChange(tx, { programId, actor, action: 'invoice_details.withdrawn', subjectId: affiliateId });
  }
  return readPortalDetails(tx, actor);
}

type Owner = { programId: string; affiliateId: string };

async function readPortalDetails(
  ctx: Pick<Context, 'db'>,
  { programId, affiliateId }: Owner,
): Promise<z.input<typeof PortalInvoiceDetails>> {
  const issuer = await findIssuer(ctx, programId);
  const details = await findDetails(ctx, programId, affiliateId);
  const isAgreed = details?.isAgreed ?? false;
  return {
    isOffered: issuer.isActive,
    issuerName: issuer.legalName,
    issuerCountry: issuer.country,
    isAgreed,
    agreedAt: isAgreed ? (details?.createdAt.toISOString() ?? null) : null,
    country: details?.country ?? null,
    isSmallBusiness: details?.isSmallBusiness ?? false,
    language: InvoiceLanguage.parse(details?.language ?? 'en'),
  };
}
