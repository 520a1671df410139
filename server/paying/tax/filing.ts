// What every file for a tax office is made of: who was paid, and the form of each. Opens what is sealed, so it is
// called by the command line alone and leaves a row in the audit log.

import type { Context, Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import type { TaxForm } from './form-fields.ts';
import { endOf, type Paid, paidIn } from './paid.ts';
import { openForm } from './tax-form.ts';

export type Filed<Form extends TaxForm = TaxForm> = Paid & { form: Form };

/** Everybody who was paid more than nothing in the year: those with a form that counts, and those without. */
export async function readFiling(
  ctx: Pick<Context, 'db' | 'vault' | 'clock'>,
  programId: string,
  year: number,
): Promise<{ filed: Filed[]; lacking: Paid[] }> {
  const paid = (await paidIn(ctx, programId, year)).filter(({ cents }) => cents > 0);
  const forms = await openForms(ctx, programId, await endOf(ctx, programId, { year, now: ctx.clock.now() }));
  return {
    filed: paid.flatMap((one) => {
      const form = forms.get(one.affiliateId);
      return form ? [{ ...one, form }] : [];
    }),
    lacking: paid.filter(({ affiliateId }) => !forms.has(affiliateId)),
  };
}

async function openForms(ctx: Pick<Context, 'db' | 'vault'>, programId: string, at: Date): Promise<Map<string, TaxForm>> {
  const forms = ctx.db.selectFrom('taxForms').select(['id', 'affiliateId', 'sealed']).where('programId', '=', programId);
  const rows = await forms
    .where('supersededAt', 'is', null)
    .where((row) => row.or([row('validUntil', 'is', null), row('validUntil', '>', at)]))
    .execute();
  return new Map(rows.map((row) => [row.affiliateId, openForm(ctx.vault, row)]));
}

type Export = { programId: string; actor: Actor; kind: '1099' | 'dac7'; year: number; count: number };

/** Notes that identifiers have left, and by whom. */
export async function recordExport(tx: Tx, { programId, actor, kind, year, count }: Export): Promise<void> {
  await recordChange(tx, { programId, actor, action: 'tax.exported', subjectId: programId, after: { kind, year, count } });
}

export function isOfKind<Kind extends TaxForm['kind']>(kind: Kind) {
  return (one: Filed): one is Filed<Extract<TaxForm, { kind: Kind }>> => one.form.kind === kind;
}
