import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorsOf, isChanged } from './form-state.ts';

describe('a form', () => {
  test('shows each message of the server at its field, the first one when there are several', () => {
    const details = [
      { path: ['email'], message: 'must be an email address' },
      { path: ['email'], message: 'is too long' },
      { path: ['tags', 2], message: 'must have at most 40 characters' },
      { path: ['body', 'firstName'], message: 'is required' },
      { path: 'groupId', message: 'was not found in this program' },
    ];
    assert.deepEqual(
      fieldErrorsOf(details, (message) => `${message}.`),
      {
        email: 'must be an email address.',
        tags: 'must have at most 40 characters.',
        firstName: 'is required.',
        groupId: 'was not found in this program.',
      },
    );
  });

  test('shows messages about parts of an object at the field of that part, if the form has one', () => {
    const details = [
      { path: ['body', 'address', 'city'], message: 'is required' },
      { path: ['address', 'country'], message: 'is required' },
      { path: ['conditions', 0, 'value'], message: 'is required' },
    ];
    const errors = fieldErrorsOf(details, (message) => message, ['address.city', 'address.country', 'conditions']);
    assert.deepEqual(errors, { 'address.city': 'is required', 'address.country': 'is required', conditions: 'is required' });
  });

  test('has changes only while it differs from what was saved', () => {
    assert.ok(!isChanged({ name: 'Ada', tags: ['a'] }, { name: 'Ada', tags: ['a'] }));
    assert.ok(isChanged({ name: 'Ada' }, { name: 'Ada L.' }));
  });
});
