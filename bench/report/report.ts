// `npm run bench -- report`: draws the saved results as charts, and lists these in docs/performance.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawCharts } from './chart.ts';
import { readResults } from './results.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const folder = join(docs, 'charts');
const page = join(docs, 'performance.md');
const [opening, closing] = ['<!-- charts -->', '<!-- /charts -->'];

/** Replaces the charts, and their list in the documentation, by those of the saved results. */
export async function drawReport(): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.endsWith('.svg')) rmSync(join(folder, name));
  const charts = readResults().flatMap(drawCharts);
  for (const { name, svg } of charts) writeFileSync(join(folder, name), svg);
  const images = charts.map(
    ({ name, title, about }) => `### ${title}\n\n${about === '' ? '' : `${wrap(about)}\n\n`}![${title}](charts/${name})\n\n`,
  );
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.indexOf(opening), text.indexOf(closing)];
  if (before < 0 || after < 0) throw new Error(`${page} has no place for charts: ${opening} and ${closing}.`);
  writeFileSync(page, `${text.slice(0, before)}${opening}\n\n${images.join('')}${text.slice(after)}`);
  console.log(`  ${charts.length} charts in docs/charts`);
  return true;
}

/** Lines of at most 120 characters. */
function wrap(text: string): string {
  return text.replaceAll(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();
}
