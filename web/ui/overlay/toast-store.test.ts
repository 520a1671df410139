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

test('a toast that was closed is undone within its time only', () => {
  const undone: string[] = [];
  const late = showToast('Too late', { onUndo: () => undone.push('late'), undoUntil: Date.now() - 1 });
  const early = showToast('In time', { onUndo: () => undone.push('early'), undoUntil: Date.now() + 60_000 });
  for (const id of [late, early]) closeToast(id);
  assert.ok(undoLatest());
  assert.ok(!undoLatest());
  assert.deepEqual(undone, ['early']);
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
