// Everything that the overview asks for leads to where it is done.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hasScreen, type Target } from './links.ts';
import { attentionTargets, headlineActions, stepTargets } from './targets.ts';

const headlineTargets = Object.fromEntries(Object.entries(headlineActions).map(([kind, action]) => [kind, action?.target ?? null]));

describe('the overview', () => {
  for (const [list, targets] of Object.entries({ attentionTargets, headlineTargets, stepTargets })) {
    for (const [name, target] of Object.entries<Target | null>(targets)) {
      if (target === null) continue;
      test(`${list}: ${name} leads to a screen`, () => assert.ok(hasScreen(target.screen), target.screen));
    }
  }

  test('only "all caught up" asks for nothing', () => {
    const without = Object.entries(headlineTargets).flatMap(([name, target]) => (target === null ? [name] : []));
    assert.deepEqual(without, ['all_caught_up']);
  });
});
