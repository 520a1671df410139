// Everything that the overview asks for leads to where it is done.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { hasScreen, referenceHref, type Target } from './links.ts';
import { attentionTargets, headlineActions, stepTargets } from './targets.ts';

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
};
/** The anchor of each operation in the API reference. */
const anchors = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { tags }]) => `#tag/${tags[0]?.toLowerCase()}/${method.toUpperCase()}${path}`),
);

const headlineTargets = Object.fromEntries(Object.entries(headlineActions).map(([kind, action]) => [kind, action?.target ?? null]));

describe('the overview', () => {
  for (const [list, targets] of Object.entries({ attentionTargets, headlineTargets, stepTargets })) {
    for (const [name, target] of Object.entries<Target | null>(targets)) {
      if (target === null) continue;
      test(`${list}: ${name} leads to a screen or to an operation of the API reference`, () => {
        if ('screen' in target) assert.ok(hasScreen(target.screen), target.screen);
        else assert.ok(anchors.includes(referenceHref(target).replace('/docs/api', '')), referenceHref(target));
      });
    }
  }

  test('only "all caught up" asks for nothing', () => {
    const without = Object.entries(headlineTargets).flatMap(([name, target]) => (target === null ? [name] : []));
    assert.deepEqual(without, ['all_caught_up']);
  });
});
