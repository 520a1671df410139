// Submitting a signed form. A newer form supersedes the previous one; none is ever changed, so that it can be shown which
// form was on file when a payout was sent.
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../context.ts';
import { affiliateSlot, lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { toUtcDay } from '../../platform/lib/zoned-time.ts';
import { calculateExpiry, getCountry, TaxForm } from './form-fields.ts';
import { decryptForm, encryptForm, findTaxForm, TaxFormShape, toTaxForm } from './tax-form.ts';

export const submitTaxForm = endpoint({
  id: 'taxForms.submit',
  route: 'POST /v1/programs/:programId/affiliates/:id/tax-form',
  scope: 'write',
  requires: 'payouts.prepare',
  isSensitive: true,
  tag: 'Tax',
  summary: 'Submit a signed tax form',
  description:
    'A newer form supersedes the previous one; sending the same form, signed on the same day, has no effect. A W-8 expires at ' +
    'the end of the third calendar year after it was signed. The form is encrypted, and its contents are never returned.',
  path: { id: affiliateSlot },
  body: TaxForm,
  statuses: [201, 200],
  outcomes: { 200: 'The same form was already on file.' },
  result: TaxFormShape,
  async handle(tx, { actor, params: { id }, body }) {
    const { programId } = actor;
    const now = tx.clock.now();
    const { signedAt = now, ...form } = body;
    requirePast(form, signedAt, now);
    await lockAffiliate(tx, programId, id);
    const former = await findTaxForm(tx, programId, id);
    const isSame = former && toUtcDay(former.signedAt) === toUtcDay(signedAt) && isDeepStrictEqual(decryptForm(tx.vault, former), form);
    if (isSame) return new Reply(200, toTaxForm(id, former, now));
    if (former) await supersede(tx, programId, former.id);
    const row = {
      id: tx.ids.uuid(),
      kind: form.kind,
      country: getCountry(body),
      signedAt,
      validUntil: calculateExpiry(form, signedAt),
    };
    await tx.db
      .insertInto('taxForms')
      .values({ programId, affiliateId: id, ...row, encryptedForm: encryptForm(tx.vault, form, row.id), createdAt: now })
      .execute();
    const after = { kind: row.kind, country: row.country, signedAt };
    await recordChange(tx, { programId, actor, action: 'tax_form.submitted', subjectId: id, after });
    return new Reply(201, toTaxForm(id, row, now));
  },
});

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
