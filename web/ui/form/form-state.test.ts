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

  test('has changes only while it differs from what was saved', () => {
    assert.ok(!isChanged({ name: 'Ada', tags: ['a'] }, { name: 'Ada', tags: ['a'] }));
    assert.ok(isChanged({ name: 'Ada' }, { name: 'Ada L.' }));
  });
});
