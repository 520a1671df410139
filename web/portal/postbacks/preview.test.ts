import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertMacro, previewUrl } from './preview.ts';

test('the preview of a URL encodes example values and keeps what is unknown', () => {
  const macros = [{ name: 'sub1', example: 'a&b c' }];
  assert.equal(previewUrl('https://a.example/?s={sub1}&o={order_id}', macros), 'https://a.example/?s=a%26b%20c&o={order_id}');
});

test('a macro replaces what is selected', () => {
  assert.deepEqual(insertMacro('https://a.example/?c=xx&d=1', 'sub1', [21, 23]), { text: 'https://a.example/?c={sub1}&d=1', caret: 27 });
});
