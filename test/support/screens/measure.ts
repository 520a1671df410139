// The size of what a page loads, compared with its budget: kilobytes, compressed with gzip.
import assert from 'node:assert/strict';
import type { WebFiles } from '../../../server/platform/http/web/files.ts';
import { type Watched, waitForScreen } from './watched-page.ts';

/**
 * `screen`: scripts and styles that a screen loads besides those of the first visit, without `texts`, its texts in one
 * language. `files`: how many scripts and styles it loads in all.
 */
export type Budgets = { script: number; style: number; font: number; screen: number; texts: number; files: number };

/** A file with the texts of a screen (scripts/web/texts.ts). */
const isTexts = /\/(console|portal)-\w+-\w+\.gen-/;

const endings = { script: '.js', style: '.css', font: '.woff2' } as const;

/** The paths that a page requests while `open` runs. */
export async function recordRequests({ page }: Watched, open: () => Promise<unknown>): Promise<Set<string>> {
  const requested = new Set<string>();
  const note = (request: { url(): string }) => void requested.add(new URL(request.url()).pathname);
  page.on('request', note);
  await open();
  page.off('request', note);
  return requested;
}

/**
 * What the first visit loads, at an address where no program is found. It must be the first of the browser: pages opened
 * later request every font that the browser still has in memory, even one that they don't use.
 */
export async function recordFirstVisit(watched: Watched, address: string): Promise<Set<string>> {
  return recordRequests(watched, async () => {
    await watched.page.goto(address);
    await waitForScreen(watched.page);
  });
}

/** The first visit, and what each screen loads in addition, is within the budgets. */
export function checkBudgets(
  files: WebFiles,
  { firstVisit, loaded, budgets }: { firstVisit: Set<string>; loaded: Map<string, Set<string>>; budgets: Budgets },
) {
  for (const [kind, ending] of Object.entries(endings) as [keyof typeof endings, string][]) {
    const size = measure(files, firstVisit, ending);
    assert.ok(size <= budgets[kind], `${kind}: ${size.toFixed(1)} of ${budgets[kind]} kB: ${listSizes(files, firstVisit, ending)}`);
  }
  for (const [id, paths] of loaded) {
    const own = [...paths.difference(firstVisit)];
    const code = own.filter((path) => !isTexts.test(path));
    const size = measure(files, code, '.js') + measure(files, code, '.css');
    assert.ok(size <= budgets.screen, `${id}: ${size.toFixed(1)} of ${budgets.screen} kB: ${listSizes(files, code, '.js')}`);
    const texts = measure(
      files,
      own.filter((path) => isTexts.test(path)),
      '.js',
    );
    assert.ok(texts <= budgets.texts, `texts of ${id}: ${texts.toFixed(1)} of ${budgets.texts} kB`);
    const count = [...paths].filter((path) => /\.(js|css)$/.test(path)).length;
    assert.ok(count <= budgets.files, `${id}: ${count} of ${budgets.files} files`);
  }
}

function measure(files: WebFiles, paths: Iterable<string>, ending: string): number {
  return [...paths].filter((path) => path.endsWith(ending)).reduce((sum, path) => sum + kilobytes(files, path), 0);
}

function listSizes(files: WebFiles, paths: Iterable<string>, ending: string): string {
  const found = [...paths].filter((path) => path.endsWith(ending)).map((path) => `${path} ${kilobytes(files, path).toFixed(1)}`);
  return found.join(', ');
}

function kilobytes(files: WebFiles, path: string): number {
  const file = files.assets.get(path);
  return (file?.gzip ?? file?.bytes ?? Buffer.alloc(0)).length / 1000;
}
