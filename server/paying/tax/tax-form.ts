// Tax forms are sealed before they reach the database and never returned (Contract §2.1): the API shows that
// there is one, of which kind, and until when it counts. Only exports by the command line open them.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import { type TaxForm, TaxFormKind } from './form-fields.ts';

/** No field for an identifier, so none can leave. */
export const TaxFormShape = z
  .object({
    affiliateId: uuidOut,
    kind: TaxFormKind.nullable().describe('Null when there is no form.'),
    country: z.string().nullable().describe('Of residence for tax purposes.'),
    signedAt: timestampOut.nullable(),
    validUntil: timestampOut.nullable().describe('From this moment on it counts no more; null is never.'),
    isCurrent: z.boolean().describe('Whether there is a form that counts now.'),
  })
  .meta({ id: 'TaxFormOnFile' });

type Row = { kind: string; country: string; signedAt: Date; validUntil: Date | null };

export function toTaxForm(affiliateId: string, row: Row | undefined, now: Date): z.input<typeof TaxFormShape> {
  if (!row) return { affiliateId, kind: null, country: null, signedAt: null, validUntil: null, isCurrent: false };
  return {
    affiliateId,
    kind: TaxFormKind.parse(row.kind),
    country: row.country,
    signedAt: row.signedAt.toISOString(),
    validUntil: row.validUntil?.toISOString() ?? null,
    isCurrent: row.validUntil === null || row.validUntil > now,
  };
}

/** To whom a sealed form belongs. */
export function taxFormOwner(id: string): string {
  return `tax_forms:${id}`;
}

export function sealForm(vault: Vault, form: object, id: string): Buffer {
  return vault.encrypt(JSON.stringify(form), taxFormOwner(id));
}

/** The form as it was signed. */
export function openForm(vault: Vault, { sealed, id }: { sealed: Buffer; id: string }): TaxForm {
  return JSON.parse(vault.decrypt(sealed, taxFormOwner(id))) as TaxForm;
}

/** The affiliate's newest form, whether or not it still counts. */
export async function findTaxForm(ctx: Pick<Context, 'db'> | Tx, programId: string, affiliateId: string) {
  const forms = ctx.db.selectFrom('taxForms').selectAll().where('programId', '=', programId).where('affiliateId', '=', affiliateId);
  return forms.where('supersededAt', 'is', null).executeTakeFirst();
}

/** Whether a row of tax_forms counts at that moment: the newest of its affiliate, and not run out. */
export function countsAt(at: Date) {
  return sql<boolean>`(superseded_at is null and coalesce(valid_until > ${at}, true))`;
}

/** Which of these affiliates have a form that counts at that moment. */
export async function withCurrentForms(
  db: Context['db'] | Tx['db'],
  programId: string,
  affiliateIds: readonly string[],
  at: Date,
): Promise<Set<string>> {
  if (affiliateIds.length === 0) return new Set();
  const forms = db.selectFrom('taxForms').select('affiliateId').where('programId', '=', programId).where('affiliateId', 'in', affiliateIds);
  const rows = await forms.where(countsAt(at)).execute();
  return new Set(rows.map(({ affiliateId }) => affiliateId));
}
