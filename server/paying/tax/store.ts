// Storing a signed form, for the API and the portal. A newer form supersedes the previous one; none is ever changed, so that
// it can be shown which form was on file when a payout was sent.
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../context.ts';
import { sendTaxFormSubmitted } from '../../messaging/emails/kinds/payouts/tax-form-submitted.ts';
import { lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { toUtcDay } from '../../platform/lib/zoned-time.ts';
import { calculateExpiry, getCountry, type TaxForm, TaxFormKind } from './form-fields.ts';
import { decryptForm, encryptForm, findTaxForm } from './tax-form.ts';

type Owner = { programId: string; actor: Actor; affiliateId: string };
type Row = { kind: string; country: string; signedAt: Date; validUntil: Date | null };

/** Stores the form and notifies the affiliate. The same form again, signed on the same day, has no effect. */
export async function storeTaxForm(
  tx: Tx,
  { programId, actor, affiliateId: id }: Owner,
  body: TaxForm,
): Promise<{ row: Row; isNew: boolean }> {
  const now = tx.clock.now();
  const { signedAt = now, ...form } = body;
  requirePast(form, signedAt, now);
  const affiliate = await lockAffiliate(tx, programId, id);
  const former = await findTaxForm(tx, programId, id);
  const isSame = former && toUtcDay(former.signedAt) === toUtcDay(signedAt) && isDeepStrictEqual(decryptForm(tx.vault, former), form);
  if (isSame) return { row: former, isNew: false };
  if (former) await supersede(tx, programId, former.id);
  const row = { id: tx.ids.uuid(), kind: form.kind, country: getCountry(body), signedAt, validUntil: calculateExpiry(form, signedAt) };
  await tx.db
    .insertInto('taxForms')
    .values({ programId, affiliateId: id, ...row, encryptedForm: encryptForm(tx.vault, form, row.id), createdAt: now })
    .execute();
  const after = { kind: row.kind, country: row.country, signedAt };
  const changeId = await recordChange(tx, { programId, actor, action: 'tax_form.submitted', subjectId: id, after });
  const submission = { kind: form.kind, formerKind: former ? TaxFormKind.parse(former.kind) : null, submittedAt: now };
  await sendTaxFormSubmitted(tx, { programId, changeId, affiliate, submission });
  return { row, isNew: true };
}

function requirePast(form: object, signedAt: Date, now: Date): void {
  const faults: string[] = [];
  if (signedAt > now) faults.push('signedAt');
  if ('birthDate' in form && typeof form.birthDate === 'string' && new Date(form.birthDate) > now) faults.push('birthDate');
  if (faults.length > 0) throw new Invalid(faults.map((field) => ({ path: [field], message: 'must not be in the future' })));
}

async function supersede(tx: Tx, programId: string, id: string): Promise<void> {
  const form = tx.db.updateTable('taxForms').set({ supersededAt: tx.clock.now() }).where('programId', '=', programId);
  await form.where('id', '=', id).execute();
}
