// The data of every tax file: who was paid, and their forms. It decrypts the forms: only the command line
// and members who may read tax numbers get it, and each export is recorded in the audit log.
import type { Context, Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import type { TaxForm } from './form-fields.ts';
import { findEndOfYear, findPaidTotals, type PaidTotal } from './paid-totals.ts';
import { decryptForm, isValidAt } from './tax-form.ts';

export type Filed<Form extends TaxForm = TaxForm> = PaidTotal & { form: Form };

/** All affiliates with a positive total in the year: those with a valid form, and those without. */
export async function readFiling(
  ctx: Pick<Context, 'db' | 'vault' | 'clock'>,
  programId: string,
  year: number,
): Promise<{ filed: Filed[]; lacking: PaidTotal[] }> {
  const paid = (await findPaidTotals(ctx, programId, year)).filter(({ amountCents }) => amountCents > 0);
  const forms = await decryptForms(ctx, programId, await findEndOfYear(ctx, programId, { year, now: ctx.clock.now() }));
  return {
    filed: paid.flatMap((one) => {
      const form = forms.get(one.affiliateId);
      return form ? [{ ...one, form }] : [];
    }),
    lacking: paid.filter(({ affiliateId }) => !forms.has(affiliateId)),
  };
}

async function decryptForms(ctx: Pick<Context, 'db' | 'vault'>, programId: string, at: Date): Promise<Map<string, TaxForm>> {
  const forms = ctx.db.selectFrom('taxForms').select(['id', 'affiliateId', 'encryptedForm']).where('programId', '=', programId);
  const rows = await forms.where(isValidAt(at)).execute();
  return new Map(rows.map((row) => [row.affiliateId, decryptForm(ctx.vault, row)]));
}

type Export = { programId: string; actor: Actor; kind: '1099' | 'dac7'; year: number; count: number };

/** Records who exported tax numbers, and how many. */
export async function recordExport(tx: Tx, { programId, actor, kind, year, count }: Export): Promise<void> {
  await recordChange(tx, { programId, actor, action: 'tax.exported', subjectId: programId, after: { kind, year, count } });
}

export function hasFormOfKind<Kind extends TaxForm['kind']>(kind: Kind) {
  return (one: Filed): one is Filed<Extract<TaxForm, { kind: Kind }>> => one.form.kind === kind;
}
