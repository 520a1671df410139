import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { line, webAddress } from '../../platform/http/declaration/fields.ts';
import { parseField, parseUuid, parseWholeNumber } from './arguments.ts';
import { CommandError } from './command-error.ts';

describe('arguments follow the rules of the API', () => {
  for (const name of ['Fern\u2028Field', 'Fern\u200e', '\u3164', '', 'x'.repeat(101), 'Fern\nField'])
    test(`${JSON.stringify(name).slice(0, 20)} is rejected as a name`, () =>
      assert.throws(() => parseField(line(100), name, '--name'), CommandError));

  test('a name is trimmed and normalized, and lone surrogates are replaced', () => {
    assert.equal(parseField(line(100), ' Zoe\u0308 ', '--name'), 'Zoë');
    assert.equal(parseField(line(100), 'Fern\ud800', '--name'), 'Fern\ufffd');
  });

  test('the error names the option and what it must be', () => {
    assert.throws(() => parseField(webAddress, 'javascript:alert(1)', '--website'), /^Error: --website must be an http or https URL\.$/);
    assert.throws(() => parseUuid('1', '--program'), /^Error: --program must be a UUID, not "1"\.$/);
    for (const text of ['0', '-1', '1.5', 'x', '10000', '1e3'])
      assert.throws(() => parseWholeNumber(text, '--limit', 9999), /^Error: --limit must be a whole number from 1 to 9999, not "/);
    assert.equal(parseWholeNumber('9999', '--limit', 9999), 9999);
  });
});
