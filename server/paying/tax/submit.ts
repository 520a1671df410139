// Taking a signed form. A newer one supersedes the one before; none is ever changed, so that it can be shown what
// was known when somebody was paid.
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../context.ts';
import { affiliateSlot, lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { countryOf, TaxForm, validUntil } from './form-fields.ts';
import { findTaxForm, openForm, sealForm, TaxFormShape, toTaxForm } from './tax-form.ts';

export const submitTaxForm = endpoint({
  id: 'taxForms.submit',
  route: 'POST /v1/programs/:programId/affiliates/:id/tax-form',
  scope: 'write',
  tag: 'Tax',
  summary: 'Put a signed tax form on file',
  description:
    'A newer form supersedes the one before; the same one, signed on the same day, changes nothing. ' +
    'A W-8 counts until the end of the third calendar year after it was signed. What was sent is sealed and never returned.',
  path: { id: affiliateSlot },
  body: TaxForm,
  statuses: [201, 200],
  result: TaxFormShape,
  async handle(tx, { actor, params: { id }, body }) {
    const { programId } = actor;
    const now = tx.clock.now();
    const { signedAt = now, ...form } = body;
    requirePast(form, signedAt, now);
    await lockAffiliate(tx, programId, id);
    const former = await findTaxForm(tx, programId, id);
    const isSame = former && dayOf(former.signedAt) === dayOf(signedAt) && isDeepStrictEqual(openForm(tx.vault, former), plain(form));
    if (isSame) return new Reply(200, toTaxForm(id, former, now));
    if (former) await supersede(tx, programId, former.id);
    const row = { id: tx.ids.uuid(), kind: form.kind, country: countryOf(body), signedAt, validUntil: validUntil(form, signedAt) };
    const sealed = sealForm(tx.vault, form, row.id);
    await tx.db
      .insertInto('taxForms')
      .values({ programId, affiliateId: id, ...row, sealed, createdAt: now })
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

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** As it looks when it comes back out of the seal. */
const plain = (form: object): unknown => JSON.parse(JSON.stringify(form));
