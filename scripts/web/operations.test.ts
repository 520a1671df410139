import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { listOperations, readDocuments, selectCalled } from './operations.ts';
import { listSources } from './texts.ts';

const operation = (id: string) => ({ id, method: 'get', path: '/' });

test('an app gets the operations that its code calls, including calls with a template', () => {
  const all = ['orders.list', 'orders.get', 'refunds.create', 'refunds.undo', 'payouts.list', 'signOut'].map(operation);
  const sources = [
    "useRead('orders.list', input)",
    "t('orders.get')",
    `t(\`payouts.\${kind}\`)`,
    `call(\`refunds.\${kind}\`, input)`,
    "call('signOut', {})",
  ];
  assert.deepEqual(
    selectCalled(all, sources).map(({ id }) => id),
    ['orders.list', 'refunds.create', 'refunds.undo', 'signOut'],
  );
});

test('the sources of an app include screens and what is loaded on demand', () => {
  const root = join(import.meta.dirname, '..', '..');
  const [console, portal] = ['console', 'portal'].map((app) => listSources(root, app));
  for (const path of ['web/console/commissions/BonusSheet.tsx', 'web/console/palette/Palette.tsx', 'web/api/call.ts'])
    assert.ok(console?.includes(path), path);
  assert.ok(portal?.includes('web/portal/account/Account.tsx'));
  assert.ok(!portal?.some((path) => path.startsWith('web/console/')));
  assert.ok(listOperations(readDocuments(root)).length > 250);
});
