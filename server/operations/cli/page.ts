// Review of landing pages. The API can't approve pages (Contract §3.2).
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { isLive } from '../../partners/affiliates/landing-page-summary.ts';
import { transact } from '../../platform/db/transact.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { showPage } from '../../promotion/landing-pages/get.ts';
import { findPage } from '../../promotion/landing-pages/landing-page.ts';
import { reviewPage, type Verdict } from '../../promotion/landing-pages/review.ts';
import { requireUuid } from './key.ts';
import { fact, json, moment, say, table } from './print.ts';
import { operator, Refused, withService } from './run.ts';

type Where = { program: string; json?: boolean };

export function pageCommands(cli: Command): void {
  const page = cli.command('page').description('review landing pages');
  const add = (name: string, description: string) =>
    page.command(name).description(description).requiredOption('--program <id>', 'the program').option('--json', 'print JSON');
  add('list', 'list pages, drafts first').option('--waiting', 'only drafts').action(list);
  add('show', 'show the current content of a page').argument('<slug>').action(show);
  for (const [name, verdict, description] of [
    ['approve', 'approved', 'approve a revision of a page'],
    ['request-changes', 'changes_requested', 'return a page to its affiliate'],
  ] as const) {
    add(name, description)
      .argument('<slug>')
      .requiredOption('--revision <number>', 'the revision that was reviewed (see `page show`)')
      .action((slug: string, options: Where & { revision: string }) => decide(slug, options, verdict));
  }
}

async function list({ program, waiting, json: asJson }: Where & { waiting?: boolean }): Promise<void> {
  const programId = requireUuid(program, '--program');
  await withService('page list', async ({ ctx }) => {
    const rows = await listPages(ctx, programId, waiting ?? false);
    if (asJson) return json(rows);
    if (rows.length === 0) return say(waiting ? '  No page awaits review.' : '  No pages yet.');
    table(
      ['SLUG', 'REVISION', 'REVIEW', 'PUBLISHED', 'LIVE', 'UPDATED'],
      rows.map((row) => [
        row.slug,
        String(row.revision),
        row.reviewStatus,
        row.isPublished ? 'yes' : 'no',
        row.isLive ? 'yes' : 'no',
        moment(row.updatedAt),
      ]),
    );
  });
}

async function listPages(ctx: Context, programId: string, onlyWaiting: boolean) {
  let pages = ctx.db.selectFrom('landingPages').where('programId', '=', programId);
  if (onlyWaiting) pages = pages.where('reviewStatus', '=', 'draft');
  const rows = await pages
    .select(['slug', 'revision', 'reviewStatus', 'isPublished', 'approvedRevision', 'updatedAt'])
    .orderBy((row) => row.case().when('reviewStatus', '=', 'draft').then(0).else(1).end())
    .orderBy('updatedAt')
    .execute();
  return rows.map((row) => ({ ...row, isLive: isLive(row) }));
}

async function show(slug: string, { program, json: asJson }: Where): Promise<void> {
  const programId = requireUuid(program, '--program');
  await withService('page show', async ({ ctx }) => {
    const page = await findPage(ctx, programId, slug);
    if (!page) throw new NotFound();
    const { products, affiliate, ...content } = await showPage(ctx, page, 'current');
    if (asJson) return json({ revision: page.revision, approvedRevision: page.approvedRevision, ...content, affiliate, products });
    fact('Affiliate', `${affiliate.name} (${affiliate.status})`);
    for (const [label, value] of Object.entries(content)) fact(label, ` ${Array.isArray(value) ? value.join(', ') : String(value ?? '-')}`);
    fact('Products', products.map(({ name }) => name).join(', ') || '-');
    fact('Revision', `${page.revision}${page.approvedRevision ? ` (last approved: ${page.approvedRevision})` : ''}`);
    say(`\n  To approve this revision:  bin/tributary page approve ${page.slug} --program ${programId} --revision ${page.revision}`);
  });
}

async function decide(slug: string, { program, revision, json: asJson }: Where & { revision: string }, verdict: Verdict): Promise<void> {
  const programId = requireUuid(program, '--program');
  if (!/^[1-9]\d{0,8}$/.test(revision)) throw new Refused('--revision must be a whole number.');
  await withService('page review', async ({ ctx }) => {
    const page = await transact(ctx, (tx) => reviewPage(tx, { programId, slug, revision: Number(revision), verdict, actor: operator() }));
    if (asJson)
      return json({
        slug: page.slug,
        revision: page.revision,
        reviewStatus: page.reviewStatus,
        isPublished: page.isPublished,
        isLive: page.isLive,
      });
    const state =
      verdict === 'approved'
        ? page.isLive
          ? 'Approved. The page is live.'
          : 'Approved. It goes live when the affiliate publishes it.'
        : 'Returned to the affiliate.';
    say(`  ${state}`);
  });
}
