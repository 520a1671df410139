import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { planTexts } from './texts.ts';

const root = mkdtempSync(join(tmpdir(), 'tributary-texts-'));
after(() => rmSync(root, { recursive: true }));

test('the shell loads its namespaces, and each screen the others that its code uses', () => {
  write({
    'locales/en/shell.json': '{}',
    'locales/en/orders.json': '{}',
    'locales/en/dialogs.json': '{}',
    'locales/en/unused.json': '{}',
    'console/main.tsx': "import { screens } from './screens.ts';",
    'console/screens.ts': `
      export const screens = [
        { id: 'orders', title: 'orders:title', keywords: 'orders:keywords', load: () => import('./orders/Orders.tsx') },
        { id: 'empty', title: 'unused:title', settings: { description: 'unused:description' }, load: () => import('./orders/Empty.tsx') },
      ];`,
    'console/orders/Orders.tsx': "const { t } = useTranslation(['orders', 'shell']);\nconst open = () => import('./Sheet.tsx');",
    'console/orders/Sheet.tsx': "import type { Row } from './Unread.tsx';\nconst title = 'dialogs:title';",
    'console/orders/Unread.tsx': "useTranslation('unused');",
    'console/orders/Empty.tsx': 'useTranslation();',
  });
  const { first, titles, descriptions, keywords, screens } = planTexts(root, 'console');
  assert.deepEqual([...first], []);
  assert.deepEqual([...titles].sort(), ['orders:title', 'unused:title']);
  assert.deepEqual([...descriptions], ['unused:description']);
  assert.deepEqual([...keywords], ['orders:keywords']);
  assert.deepEqual(Object.fromEntries(screens), { orders: ['dialogs', 'orders', 'shell'], empty: ['shell'] });
});

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'web', path)), { recursive: true });
    writeFileSync(join(root, 'web', path), text);
  }
}
