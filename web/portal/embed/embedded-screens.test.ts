import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opensInFrame } from './embedded-screens.ts';
import { toTokens } from './look.ts';

test('only screens that read open in the frame; everything else opens the portal itself', () => {
  const base = '/portal/01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';
  for (const path of ['', '/', '/earnings', '/earnings?state=held', '?x=1', '/rates', '/payouts'])
    assert.ok(opensInFrame(base + path), path);
  for (const href of ['/payout-details', '/tax-form', '/account', '/links', '/page', '/postbacks', '/earnings/x'].map(
    (path) => base + path,
  ))
    assert.ok(!opensInFrame(href), href);
  for (const href of ['/portal', '/console/x', 'https://elsewhere.example/portal/x/earnings', '/sign-in'])
    assert.ok(!opensInFrame(href), href);
});

test('a look changes only what it names', () => {
  const none = { accent: null, radius: null, scheme: 'auto', fontFamily: null } as const;
  assert.deepEqual(toTokens(none), {});
  assert.deepEqual(Object.keys(toTokens({ ...none, radius: 0, fontFamily: 'Inter' })), [
    '--radius-control',
    '--radius-card',
    '--radius-sheet',
    '--font-ui',
    '--font-display',
  ]);
});
