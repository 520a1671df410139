// Amounts are typed in the unit of their currency: every field of a number of cents is a MoneyInput.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const web = join(import.meta.dirname, '..', '..');

/** An element with a field that is named in cents: `{...form.field('amountCents')}`, `name={`${name}.amountCents`}`. */
const amountField = /<(\w+)\b(?:(?!\/>|<[A-Z])[\s\S])*?(?:field\(|name=\{?)["'`](?:\$\{\w+\}\.?|\w)*Cents["'`]/g;

test('fields of amounts accept the currency of their program: none is a field for numbers or text', () => {
  const fields = globSync('{console,portal,frame,dialog}/**/*.tsx', { cwd: web }).flatMap((file) =>
    [...readFileSync(join(web, file), 'utf8').matchAll(amountField)].map(([text, element]) => ({ file, element, text })),
  );
  assert.ok(fields.length >= 12, `${fields.length} fields were found`);
  assert.deepEqual(
    fields.filter(({ element }) => element !== 'MoneyInput'),
    [],
  );
});
