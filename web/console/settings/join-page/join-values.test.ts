import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JoinForm, moveQuestion, nestedErrorsOf, newQuestion, toUpdate, toValues } from './join-values.ts';

const form: JoinForm = {
  url: 'https://tributary.example/join/fern',
  isOpen: true,
  intro: null,
  questions: [{ id: 'kind', kind: 'choice', label: 'Kind', help: null, isRequired: true, options: ['A', 'B'] }],
  terms: 'Terms',
  termsVersion: 1,
  termsChangedAt: '2026-11-20T00:00:00.000Z',
  autoApproval: { mode: 'matching', emailDomains: ['a.example', 'b.example'], answers: [{ questionId: 'kind', options: ['A'] }] },
};

test('what was read is sent back unchanged', () => {
  const { questions, autoApproval, terms } = form;
  assert.deepEqual(toUpdate(toValues(form)), { isOpen: true, intro: '', terms, questions, autoApproval });
});

test('a condition disappears with its option, and with its question', () => {
  const values = toValues(form);
  const renamed = values.questions.map((question) => ({ ...question, options: 'C\n\n B ' }));
  assert.deepEqual(toUpdate({ ...values, questions: renamed }).autoApproval?.answers, []);
  assert.deepEqual(toUpdate({ ...values, questions: renamed }).questions?.[0]?.options, ['C', 'B']);
  assert.deepEqual(toUpdate({ ...values, questions: [] }).autoApproval?.answers, []);
});

test('questions move within the list', () => {
  const list = ['a', 'b', 'c'].map(newQuestion);
  const order = (from: number, to: number) =>
    moveQuestion(list, from, to)
      .map(({ id }) => id)
      .join('');
  assert.deepEqual([order(0, 1), order(2, 0), order(0, -1), order(2, 3)], ['bac', 'cab', 'abc', 'abc']);
});

test('messages about parts of a list keep their place', () => {
  const details = [
    { path: ['questions', '0', 'label'], message: 'must not be empty' },
    { path: ['intro'], message: 'is too long' },
  ];
  assert.deepEqual(
    nestedErrorsOf(details, (message) => `${message}.`),
    { 'questions.0.label': 'must not be empty.' },
  );
});
