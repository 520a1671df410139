// The tax form of an affiliate, submitted by the affiliate. Its contents are written, never returned.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../platform/http/declaration/fields.ts';
import type { AffiliatePrincipal } from '../../platform/http/declaration/principal.ts';
import { TaxForm, TaxFormKind } from './form-fields.ts';
import { storeTaxForm } from './store.ts';
import { findTaxForm, toTaxForm } from './tax-form.ts';

/** Applicants can prepare it. A suspended affiliate, and one who left, is still paid what was earned. */
const statuses = ['pending', 'active', 'suspended', 'archived'] as const;

const PortalTaxForm = z
  .object({
    isRequired: z.boolean().describe('Whether the program pays only affiliates with a valid tax form.'),
    isValid: z.boolean().describe('Whether a form is on file that has not expired.'),
    kind: TaxFormKind.nullable().describe('Null if no tax form is on file.'),
    country: z.string().nullable().describe('The country of residence for tax purposes.'),
    signedAt: timestampOut.nullable(),
    expiresAt: timestampOut.nullable().describe('Null if the form does not expire.'),
  })
  .meta({
    id: 'PortalTaxForm',
    example: {
      isRequired: true,
      isValid: true,
      kind: 'w8ben',
      country: 'DE',
      signedAt: '2026-11-02T09:30:00.000Z',
      expiresAt: '2030-01-01T00:00:00.000Z',
    },
  });

export const getPortalTaxForm = endpoint({
  id: 'portal.taxForm',
  route: 'GET /app/portal/:programId/tax-form',
  scope: 'affiliate',
  affiliateStatuses: statuses,
  tag: 'Portal',
  summary: "Get the affiliate's tax form",
  description: 'Returns the kind, country and validity of the form. The contents of a form are never returned.',
  statuses: [200],
  result: PortalTaxForm,
  handle: async (ctx, { actor }) => toPortalTaxForm(ctx, actor, await findTaxForm(ctx, actor.programId, actor.affiliateId)),
});

export const submitPortalTaxForm = endpoint({
  id: 'portal.submitTaxForm',
  route: 'POST /app/portal/:programId/tax-form',
  scope: 'affiliate',
  affiliateStatuses: statuses,
  isSensitive: true,
  tag: 'Portal',
  summary: "Submit the affiliate's signed tax form",
  description:
    'A newer form supersedes the previous one; sending the same form, signed on the same day, has no effect. The form is ' +
    'encrypted, its contents are never returned, and the affiliate is notified by email.',
  body: TaxForm,
  statuses: [201, 200],
  outcomes: { 200: 'The same form was already on file.' },
  result: PortalTaxForm,
  handle: (ctx, { actor, body }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      const { row, isNew } = await storeTaxForm(tx, { programId, actor, affiliateId }, body);
      return new Reply(isNew ? 201 : 200, await toPortalTaxForm(tx, actor, row));
    }),
});

async function toPortalTaxForm(
  ctx: Pick<Context, 'db' | 'clock'> | Tx,
  { programId, affiliateId }: AffiliatePrincipal,
  row: Parameters<typeof toTaxForm>[1],
): Promise<z.input<typeof PortalTaxForm>> {
  const { taxForms } = await getProgram(ctx, programId);
  const { kind, country, signedAt, expiresAt, isValid } = toTaxForm(affiliateId, row, ctx.clock.now());
  return { isRequired: taxForms === 'required', isValid, kind, country, signedAt, expiresAt };
}
