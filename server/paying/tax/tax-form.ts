// Tax forms are encrypted before they reach the database and never returned (Contract §2.1): the API shows that a form
// exists, its kind, and when it expires. Only exports by the command line decrypt it.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import { TaxForm, TaxFormKind } from './form-fields.ts';

/** Without a field for an identifier, none can be returned. */
export const TaxFormShape = z
  .object({
    affiliateId: uuidOut,
    kind: TaxFormKind.nullable().describe('Null if the affiliate has no tax form.'),
    country: z.string().nullable().describe('The country of residence for tax purposes.'),
    signedAt: timestampOut.nullable(),
    expiresAt: timestampOut.nullable().describe('Null if the form does not expire.'),
    isValid: z.boolean().describe('Whether the affiliate has a form that has not expired.'),
  })
  .meta({
    id: 'AffiliateTaxForm',
    example: {
      affiliateId: '01980a4e-9c2f-7d41-8b3a-5e6f7a8b9c0d',
      kind: 'w8ben',
      country: 'DE',
      signedAt: '2026-11-02T09:30:00.000Z',
      expiresAt: '2030-01-01T00:00:00.000Z',
      isValid: true,
    },
  });

type Row = { kind: string; country: string; signedAt: Date; validUntil: Date | null };

export function toTaxForm(affiliateId: string, row: Row | undefined, now: Date): z.input<typeof TaxFormShape> {
  if (!row) return { affiliateId, kind: null, country: null, signedAt: null, expiresAt: null, isValid: false };
  return {
    affiliateId,
    kind: TaxFormKind.parse(row.kind),
    country: row.country,
    signedAt: row.signedAt.toISOString(),
    expiresAt: row.validUntil?.toISOString() ?? null,
    isValid: row.validUntil === null || row.validUntil > now,
  };
}

/** The owner that a form is encrypted for. */
export function taxFormOwner(id: string): string {
  return `tax_forms:${id}`;
}

export function encryptForm(vault: Vault, form: object, id: string): Buffer {
  return vault.encrypt(JSON.stringify(form), taxFormOwner(id));
}

/** The form as it was signed. */
export function decryptForm(vault: Vault, { encryptedForm, id }: { encryptedForm: Buffer; id: string }): TaxForm {
  return TaxForm.parse(JSON.parse(vault.decrypt(encryptedForm, taxFormOwner(id))));
}

/** The affiliate's newest form, expired or not. */
export async function findTaxForm(ctx: Pick<Context, 'db'> | Tx, programId: string, affiliateId: string) {
  const forms = ctx.db.selectFrom('taxForms').selectAll().where('programId', '=', programId).where('affiliateId', '=', affiliateId);
  return forms.where('supersededAt', 'is', null).executeTakeFirst();
}

/** Whether a row of tax_forms is valid at that time: the newest of its affiliate, and not expired. */
export function isValidAt(at: Date) {
  return sql<boolean>`(superseded_at is null and coalesce(valid_until > ${at}, true))`;
}

/** Those of these affiliates that have a valid form at that time. */
export async function findAffiliatesWithForm(
  db: Context['db'] | Tx['db'],
  programId: string,
  affiliateIds: readonly string[],
  at: Date,
): Promise<Set<string>> {
  if (affiliateIds.length === 0) return new Set();
  const forms = db.selectFrom('taxForms').select('affiliateId').where('programId', '=', programId).where('affiliateId', 'in', affiliateIds);
  const rows = await forms.where(isValidAt(at)).execute();
  return new Set(rows.map(({ affiliateId }) => affiliateId));
}
