// Every screen of the console's table of contents, with data, without, when requests fail and without the role, in both
// colour schemes and at both widths. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addMember } from '../../server/accounts/identity/members/add-member.ts';
import { transact } from '../../server/platform/db/transact.ts';
import type { TestMember, TestProgram } from '../support/harness.ts';
import { checkAmounts } from '../support/screens/amounts.ts';
import { checkAppearances, desktop } from '../support/screens/appearances.ts';
import { checkFocus, checkHeadline } from '../support/screens/checks.ts';
import { fillProgram } from '../support/screens/fill-program.ts';
import { type Budgets, checkBudgets, recordFirstVisit, recordRequests } from '../support/screens/measure.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type ListedScreen, listScreens } from '../support/screens/table-of-contents.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

const states = ['data', 'empty', 'error', 'forbidden'] as const;
type State = (typeof states)[number];

const screens = await listScreens();

/** What screens read, other than the user. */
const isData = /\/(app\/(?!me$)|v1\/)/;

/** Kilobytes, compressed with gzip. */
const budgets: Budgets = { script: 290, style: 25, font: 45, screen: 60, files: 20 };

describe('the screens of the console', () => {
  let app: Console;
  let programs: Record<State, TestProgram>;
  let pages: Record<State, Watched>;
  let examples: Record<string, string>;
  let firstVisit: Set<string>;
  const loaded = new Map<string, Set<string>>();

  before(async () => {
    app = await openConsole();
    const { program } = app.service;
    programs = { data: program, empty: await app.service.newProgram('Quiet Shores'), error: program, forbidden: program };
    examples = await fillProgram(app.service, program);
    await app.context.clock.setFixedTime(app.service.clock.now());
    await app.signInAs(await anOwnerOfBoth(app, programs.empty));
    pages = Object.fromEntries(await Promise.all(states.map(async (state) => [state, await openPage(state)]))) as Record<State, Watched>;
    firstVisit = await recordFirstVisit(pages.empty, `${app.origin}/console/none`);
  });

  after(() => app?.close());

  /** A page in which requests fail, or the user lacks the permissions, where the state says so. */
  async function openPage(state: State): Promise<Watched> {
    const watched = await watchPage(app.context, app.origin, { isFailing: state === 'error' });
    if (state === 'error') {
      const failure = { error: 'The service failed.', code: 'internal_error', requestId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f' };
      await watched.page.route(isData, (route) => route.fulfill({ status: 500, json: failure }));
    }
    if (state === 'forbidden') {
      await watched.page.route('**/app/me', async (route) => {
        const response = await route.fetch();
        const me = (await response.json()) as { programs: object[] };
        await route.fulfill({ response, json: { ...me, programs: me.programs.map((program) => ({ ...program, permissions: [] })) } });
      });
    }
    return watched;
  }

  async function open(screen: ListedScreen, state: State): Promise<Page> {
    const { page } = pages[state];
    await page.setViewportSize(desktop);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    const path = screen.path.replace(/\$(\w+)/g, (_, name: string) => {
      const example = examples[name];
      assert.ok(example, `fillProgram returns no ${name}`);
      return example;
    });
    const requested = await recordRequests(pages[state], async () => {
      await page.goto(`${app.origin}/console/${programs[state].programId}/${path.replace(/^\//, '')}`);
      await waitForScreen(page);
    });
    if (state === 'data') loaded.set(screen.id, requested);
    return page;
  }

  for (const screen of screens) {
    for (const state of states) {
      test(`${screen.id}: ${state}`, async () => {
        const page = await open(screen, state);
        if (state === 'data') await checkFocus(page, screen.id);
        if (state === 'data') await checkAmounts(page, screen.id);
        // The object of a screen with a parameter doesn't exist in the empty program: its screen says so.
        const isMissing = state === 'empty' && screen.path.includes('$');
        const takeFaults = () => pages[state].takeFaults().filter((fault) => !(isMissing && fault.includes('404')));
        assert.deepEqual(takeFaults(), [], `${screen.id}, ${state}`);
        // Without the role, every screen is the same one under another title.
        if (state !== 'forbidden' || screen === screens[0]) await checkAppearances(page, `${screen.id}-${state}`);
        else await checkHeadline(page, `${screen.id}-${state}`);
        assert.deepEqual(takeFaults(), [], `${screen.id}, ${state}`);
      });
    }
  }

  test('stays within its budgets', () => checkBudgets(app.files, { firstVisit, loaded, budgets }));
});

async function anOwnerOfBoth({ service }: Console, { programId }: TestProgram): Promise<TestMember> {
  const owner = await service.asMember('owner', { name: 'Dana Calder' });
  const actor = { kind: 'command' as const, id: 'test' };
  await transact(service.ctx, (tx) => addMember(tx, { programId, userId: owner.userId, role: 'owner', actor }));
  return owner;
}
