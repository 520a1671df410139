import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changedFields, toEntries, toLines } from './changed-fields.ts';

describe('a form of the settings', () => {
  test('sends only what was changed, even when it was cleared', () => {
    const before = { name: 'Fern', holdDays: 30, capPercent: 50 as number | null, hosts: ['a.example'] };
    assert.deepEqual(changedFields(before, before), {});
    assert.deepEqual(changedFields(before, { ...before, capPercent: null, hosts: ['a.example', 'b.example'] }), {
      capPercent: null,
      hosts: ['a.example', 'b.example'],
    });
  });

  test('reads entries in lines, or separated by commas and spaces', () => {
    assert.deepEqual(toEntries(' shop.example \n\ncdn.example, img.example;'), ['shop.example', 'cdn.example', 'img.example']);
    assert.deepEqual(toLines('cures insomnia \n\n risk-free, really'), ['cures insomnia', 'risk-free, really']);
  });
});
