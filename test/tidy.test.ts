// Style is a test. What it holds: which folder may import which, who writes a table, sizes, words, and
// that nothing is left lying about. See ARCHITECTURE.md.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, test } from 'node:test';

/** A folder imports itself and what stands before it. */
const order = [
  'lib', 'db', 'jobs', 'http', 'audit', 'programs', 'ledger', 'emails', 'rails', 'providers', 'affiliates', 'groups', 'tracking', 'catalogue', 'coupons', 'landing-pages', 'commission-rules', 'commissions', 'fraud', 'conversions', 'claims', 'refunds', 'payout-details', 'tax', 'payouts', 'commerce', 'inbox', 'statements', 'verify', 'demo', 'cli',
]; // biome-ignore format: the order is the point

/** Files at the top of server/: types that everybody may name, and tables of contents that name everybody. */
const everybodyMayImport = ['server/context.ts', 'server/config.ts'];

/** A table has one writing folder; any folder may read it. */
const writers: Record<string, string[]> = {
  // A program's row also holds what tracking alone understands: click_settings.
  programs: ['programs', 'tracking'],
  apiKeys: ['programs'],
  settingChanges: ['programs'],
  auditLog: ['audit'],
  idempotencyKeys: ['http'],
  groups: ['groups'],
  affiliates: ['affiliates'],
  affiliateCounts: ['affiliates'],
  affiliatePastTerms: ['affiliates'],
  referralCodes: ['affiliates'],
  shortLinks: ['affiliates'],
  products: ['catalogue'],
  productGroups: ['catalogue'],
  landingPages: ['landing-pages'],
  landingPageRevisions: ['landing-pages'],
  landingPageForwards: ['landing-pages'],
  emails: ['emails'],
  ledgerHeads: ['ledger'],
  ledgerEntries: ['ledger'],
  ledgerBalances: ['ledger'],
  commissionRules: ['commission-rules'],
  commissionRuleVersions: ['commission-rules'],
  commissionRuleBudgets: ['commission-rules'],
  commissionEvents: ['commissions'],
  commissionHolds: ['commissions'],
  customers: ['conversions'],
  unattributedOrders: ['conversions'],
  orderMismatches: ['conversions'],
  claims: ['claims'],
  fraudEvents: ['fraud'],
  refunds: ['refunds'],
  refundLines: ['refunds'],
  disputes: ['refunds'],
  coupons: ['coupons'],
  couponPastTerms: ['coupons'],
  clicks: ['tracking', 'demo'],
  clickWindows: ['tracking'],
  clickRepeats: ['tracking'],
  clickRefusals: ['tracking'],
  trackingSalts: ['tracking'],
  conversions: ['conversions'],
  commissions: ['commissions'],
  providers: ['providers'],
  providerAddresses: ['providers'],
  providerRefusals: ['inbox'],
  providerEvents: ['inbox'],
  providerOrders: ['commerce'],
  payoutDetails: ['payout-details'],
  taxForms: ['tax'],
  payoutBatches: ['payouts'],
  payoutItems: ['payouts'],
  payoutLines: ['payouts'],
  payoutEvents: ['payouts'],
  // A program is born knowing its database: a backup of its first day must not look like a new one.
  payoutSafety: ['payouts', 'programs'],
  payoutDifferences: ['payouts'],
};

const files = globSync(['server/**/*.ts', 'scripts/**/*.{ts,mjs}', 'test/**/*.ts', 'bench/**/*.ts'])
  .filter((path) => !path.endsWith('.gen.ts'))
  .map((path) => ({ path: normalize(path), text: readFileSync(path, 'utf8') }));
const sources = files.filter(({ path }) => path.startsWith('server/') && !path.endsWith('.test.ts'));

/** Folder of a file below server/, or null for the files at its top. */
function folderOf(path: string): string | null {
  return /^server\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function importsOf({ path, text }: { path: string; text: string }): { target: string; isType: boolean }[] {
  return [...text.matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']+)';/gms)].map(([, type, target = '']) => ({
    target: normalize(join(dirname(path), target)),
    isType: type !== undefined,
  }));
}

describe('the tree', () => {
  test('is read', () => {
    assert.ok(sources.length > 60);
    assert.ok(sources.flatMap(importsOf).length > 200);
  });

  test('dependencies point one way', () => {
    for (const source of sources) {
      const from = folderOf(source.path);
      if (from === null) continue;
      assert.ok(order.includes(from), `${from} has no place in the order`);
      for (const { target, isType } of importsOf(source)) {
        const to = folderOf(target);
        if (to === null) assert.ok(isType || everybodyMayImport.includes(target) || from === 'cli', `${source.path} imports ${target}`);
        else if (!isType) assert.ok(order.indexOf(to) <= order.indexOf(from), `${source.path} imports ${target}, which stands above it`);
      }
    }
  });

  test('only types may be imported against the order, and only by the seams that need them', () => {
    const seams = sources.flatMap((source) =>
      importsOf(source)
        .filter(({ target, isType }) => isType && order.indexOf(folderOf(target) ?? '') > order.indexOf(folderOf(source.path) ?? 'cli'))
        .map(({ target }) => `${source.path} → ${target}`),
    );
    assert.deepEqual(seams, []);
  });

  test('a table has one writing folder', () => {
    const statement =
      /(?:insertInto|updateTable|deleteFrom|insertRows)\((?:\s*tx,\s*)?'(\w+)'[,)]|(?:insert into|update|delete from) ([a-z_]+)/g;
    const written = sources.flatMap(({ path, text }) =>
      [...text.matchAll(statement)]
        .map(([, typed, raw = '']) => typed ?? raw.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
        .filter((table) => table in writers)
        .map((table) => ({ path, table })),
    );
    assert.ok(written.length > 25);
    for (const { path, table } of written) {
      assert.ok(writers[table]?.includes(folderOf(path) ?? ''), `${path} writes ${table}`);
    }
  });

  test('a folder holds at most 15 files, a file at most 300 lines, a function at most 60', () => {
    const sizes = new Map<string, number>();
    for (const { path, text } of files) {
      assert.ok(text.split('\n').length <= 300, `${path} has ${text.split('\n').length} lines`);
      if (path.endsWith('.test.ts')) continue;
      sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
      for (const { name, lines } of functionsOf(text)) assert.ok(lines <= 60, `${name} in ${path} has ${lines} lines`);
    }
    for (const [folder, count] of sizes) assert.ok(count <= 15, `${folder} holds ${count} files`);
  });

  test('no bucket words, no default exports, no leftovers', () => {
    for (const { path, text } of files) {
      if (path === 'test/tidy.test.ts') continue;
      assert.ok(!/(^|[/-])(utils?|helpers?|services?|managers?|common|misc)([/.-]|$)/.test(path), path);
      assert.ok(!/^export default/m.test(text), `${path} has a default export`);
      assert.ok(
        !/\b(TODO|FIXME|XXX)\b|\.only\(|test\.todo|\.skip\(|@ts-ignore|@ts-expect-error| as any\b/.test(text),
        `${path} has a leftover`,
      );
    }
  });

  test('the domain takes time, chance and surroundings as parameters', () => {
    const banned = /\bDate\.now\(|new Date\(\)|Math\.random\(|process\.env|\bfetch\(|\bnow\(\)\s*[,)`]/;
    const free = ['cli', 'lib', 'db'];
    for (const { path, text } of sources) {
      const folder = folderOf(path);
      if (folder === null || free.includes(folder)) continue;
      const line = text.split('\n').find((candidate) => banned.test(candidate.replaceAll('clock.now()', '').replace(/now: \(\)/, '')));
      assert.equal(line, undefined, `${path}: ${line}`);
    }
  });

  test('every file that holds a rule says so at its top', () => {
    for (const { path, text } of sources) {
      if (text.split('\n').length > 60) assert.ok(text.startsWith('//'), `${path} opens without a word`);
    }
  });
});

/** Functions at the top level of a file, and how long they are. */
function functionsOf(text: string): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = [];
  let open: { name: string; from: number } | null = null;
  for (const [number, line] of text.split('\n').entries()) {
    const name = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    if (name) open = { name, from: number };
    if (open && line === '}') {
      found.push({ name: open.name, lines: number - open.from + 1 });
      open = null;
    }
  }
  return found;
}
