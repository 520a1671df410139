import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { line, webAddress } from '../../platform/http/declaration/fields.ts';
import { Refused, requireField } from './run.ts';

describe('arguments follow the rules of the API', () => {
  for (const name of ['Fern\u2028Field', 'Fern\u200e', '\u3164', '', 'x'.repeat(101), 'Fern\nField'])
    test(`${JSON.stringify(name).slice(0, 20)} is no name`, () => assert.throws(() => requireField(line(100), name, '--name'), Refused));

  test('a name is trimmed and composed, and broken text repaired', () => {
    assert.equal(requireField(line(100), ' Zoe\u0308 ', '--name'), 'Zoë');
    assert.equal(requireField(line(100), 'Fern\ud800', '--name'), 'Fern\ufffd');
  });

  test('the refusal names the argument', () => {
    assert.throws(() => requireField(webAddress, 'javascript:alert(1)', '--website'), /^Error: --website must be an http or https URL\.$/);
  });
});
