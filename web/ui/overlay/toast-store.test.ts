import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeToast, openToasts, sessionToasts, showToast, toastSeconds, undoLatest } from './toast-store.ts';

test('undo reverts the latest action that offers it, once', () => {
  const undone: string[] = [];
  showToast('3 affiliates approved', { onUndo: () => undone.push('approved') });
  showToast('Link copied');
  assert.ok(undoLatest());
  assert.ok(!undoLatest());
  assert.deepEqual(undone, ['approved']);
});

test('at most three toasts are open, and all are listed for the session', () => {
  for (const text of ['a', 'b', 'c', 'd']) showToast(text);
  assert.deepEqual(
    openToasts().map(({ text }) => text),
    ['b', 'c', 'd'],
  );
  assert.deepEqual(
    sessionToasts()
      .slice(0, 2)
      .map(({ text }) => text),
    ['d', 'c'],
  );
  for (const { id } of openToasts()) closeToast(id);
  assert.equal(openToasts().length, 0);
});

test('a toast that can be undone stays longer', () => {
  assert.deepEqual([toastSeconds({ onUndo: undefined }), toastSeconds({ onUndo: () => {} })], [6, 10]);
});
