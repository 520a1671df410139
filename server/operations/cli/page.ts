// Review of landing pages. The API can't approve pages (Contract §3.2).
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { isLive } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { transact } from '../../platform/db/transact.ts';
import { paragraph } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { readLandingPage } from '../../promotion/landing-pages/get.ts';
import { findPage } from '../../promotion/landing-pages/landing-page.ts';
import { reviewPage, type Verdict } from '../../promotion/landing-pages/review.ts';
import { parseField, parseUuid, parseWholeNumber } from './arguments.ts';
import { formatTime, printField, printJson, printLine, printTable } from './print.ts';
import { commandActor, withService } from './run.ts';

const reviewNote = paragraph(2000);

type PageOptions = { program: string; json?: boolean };

export function pageCommands(cli: Command): void {
  const page = cli.command('page');
  const add = (name: string, description: string) =>
    page.command(name).description(description).requiredOption('--program <id>', 'Program of the page (required)');
  add('list', 'List pages, drafts first')
    .option('--drafts', 'Only pages that are awaiting review')
    .option('--json', 'Print JSON')
    .action(list);
  add('show', 'Show the current content of a page').argument('<slug>', 'Slug of the page').option('--json', 'Print JSON').action(show);
  for (const [name, verdict, description] of [
    ['approve', 'approved', 'Approve a revision of a page'],
    ['request-changes', 'changes_requested', 'Return a page to its affiliate for changes'],
  ] as const) {
    add(name, description)
      .argument('<slug>', 'Slug of the page')
      .requiredOption('--revision <number>', 'The revision that you reviewed, from `page show` (required)')
      .option('--note <text>', 'A note for the affiliate, such as what to change')
      .option('--json', 'Print JSON')
      .action((slug: string, options: ReviewOptions) => review(slug, options, verdict));
  }
}

async function list({ program, drafts = false, json }: PageOptions & { drafts?: boolean }): Promise<void> {
  const programId = parseUuid(program, '--program');
  await withService('page list', async ({ ctx }) => {
    const pages = await findPages(ctx, programId, drafts);
    if (json) return printJson(pages);
    if (pages.length === 0) return printLine(drafts ? '  No pages are awaiting review.' : '  No pages.');
    const yesNo = (value: boolean) => (value ? 'yes' : 'no');
    printTable(
      ['SLUG', 'REVISION', 'REVIEW', 'PUBLISHED', 'LIVE', 'UPDATED'],
      pages.map((page) => [
        page.slug,
        String(page.revision),
        page.reviewStatus,
        yesNo(page.isPublished),
        yesNo(page.isLive),
        formatTime(page.updatedAt),
      ]),
    );
  });
}

async function findPages(ctx: Context, programId: string, onlyDrafts: boolean) {
  let pages = ctx.db.selectFrom('landingPages').where('programId', '=', programId);
  if (onlyDrafts) pages = pages.where('reviewStatus', '=', 'draft');
  const rows = await pages
    .select(['slug', 'revision', 'reviewStatus', 'isPublished', 'approvedRevision', 'updatedAt'])
    .orderBy((row) => row.case().when('reviewStatus', '=', 'draft').then(0).else(1).end())
    .orderBy('updatedAt')
    .execute();
  return rows.map((row) => ({ ...row, isLive: isLive(row) }));
}

async function show(slug: string, { program, json }: PageOptions): Promise<void> {
  const programId = parseUuid(program, '--program');
  await withService('page show', async ({ ctx }) => {
    const page = await findPage(ctx, programId, slug);
    if (!page) throw new NotFound();
    const { products, affiliate, ...content } = await readLandingPage(ctx, page, 'current');
    if (json) return printJson({ revision: page.revision, approvedRevision: page.approvedRevision, ...content, affiliate, products });
    printField('Affiliate', `${affiliate.name} (${affiliate.status})`);
    for (const [label, value] of Object.entries(content)) printField(label, Array.isArray(value) ? value.join(', ') : String(value ?? '-'));
    printField('Products', products.map(({ name }) => name).join(', ') || '-');
    printField('Revision', `${page.revision}${page.approvedRevision ? ` (last approved: ${page.approvedRevision})` : ''}`);
    printLine();
    printLine(`  To approve this revision:  bin/tributary page approve ${page.slug} --program ${programId} --revision ${page.revision}`);
  });
}

type ReviewOptions = PageOptions & { revision: string; note?: string };

async function review(
  slug: string,
  { program, revision: revisionText, note: noteText, json }: ReviewOptions,
  verdict: Verdict,
): Promise<void> {
  const programId = parseUuid(program, '--program');
  const revision = parseWholeNumber(revisionText, '--revision', 999_999_999);
  const note = noteText === undefined ? null : parseField(reviewNote, noteText, '--note');
  await withService('page review', async ({ ctx }) => {
    const page = await transact(ctx, (tx) => reviewPage(tx, { programId, slug, revision, verdict, note, actor: commandActor() }));
    const { reviewStatus, isPublished, isLive: isPageLive } = page;
    if (json) return printJson({ slug: page.slug, revision: page.revision, reviewStatus, isPublished, isLive: isPageLive });
    printLine(`  ${describeReview(verdict, isPageLive)}`);
  });
}

function describeReview(verdict: Verdict, isPageLive: boolean): string {
  if (verdict !== 'approved') return 'Returned to the affiliate.';
  return isPageLive ? 'Approved. The page is live.' : 'Approved. The page goes live when the affiliate publishes it.';
}
