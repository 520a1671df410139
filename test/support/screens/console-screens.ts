// The screens of the console's table of contents, with data, without, when requests fail and without the role, in both
// colour schemes and at both widths. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addMember } from '../../../server/accounts/identity/members/add-member.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import type { TestMember, TestProgram } from '../harness.ts';
import { checkAmounts } from './amounts.ts';
import { checkAppearances, desktop } from './appearances.ts';
import { type Area, areaOf } from './areas.ts';
import { checkFocus, checkHeadline, checkTableHeight } from './checks.ts';
import { fillProgram } from './fill-program.ts';
import { type Budgets, checkBudgets, recordFirstVisit, recordRequests } from './measure.ts';
import { checkNarrowTables } from './narrow-tables.ts';
import { type Console, openConsole } from './open-console.ts';
import { type ListedScreen, listScreens } from './table-of-contents.ts';
import { loadScreen, openScreen, type Watched, watchPage } from './watched-page.ts';

const states = ['data', 'empty', 'error', 'forbidden'] as const;
type State = (typeof states)[number];

/** What screens read, other than the user. */
const isData = /\/(app\/(?!me$)|v1\/)/;

/** Kilobytes, compressed with gzip. */
const budgets: Budgets = { script: 250, style: 25, font: 45, screen: 60, texts: 8, files: 20 };

const screens = await listScreens();
/** Without the role, every screen is the same one under another title: the appearances of one are checked. */
const forbiddenExample = screens[0];

type Opened = {
  app: Console;
  programs: Record<State, TestProgram>;
  pages: Record<State, Watched>;
  /** Values for the parameters of paths. */
  examples: Record<string, string>;
  firstVisit: Set<string>;
  /** What each screen requested. */
  loaded: Map<string, Set<string>>;
};

/** Declares a test of each screen of an area in each state, and of what they load. */
export function testScreens(area: Area): void {
  describe(`the screens of the console: ${area}`, () => {
    let opened: Opened;
    before(async () => {
      opened = await openScreens();
    });
    after(() => opened?.app.close());

    for (const screen of screens.filter(({ path }) => areaOf(path) === area))
      for (const state of states) test(`${screen.id}: ${state}`, () => checkScreen(opened, screen, state));

    test('stays within its budgets', () =>
      checkBudgets(opened.app.files, { firstVisit: opened.firstVisit, loaded: opened.loaded, budgets }));
  });
}

async function openScreens(): Promise<Opened> {
  const app = await openConsole();
  const { program } = app.service;
  const empty = await app.service.newProgram('Quiet Shores');
  const examples = await fillProgram(app.service, program);
  await app.context.clock.setFixedTime(app.service.clock.now());
  await app.signInAs(await anOwnerOfBoth(app, empty));
  const pages = Object.fromEntries(await Promise.all(states.map(async (state) => [state, await openPage(app, state)]))) as Opened['pages'];
  const firstVisit = await recordFirstVisit(pages.empty, `${app.origin}/console/none`);
  const programs = { data: program, empty, error: program, forbidden: program };
  return { app, programs, pages, examples, firstVisit, loaded: new Map() };
}

async function anOwnerOfBoth({ service }: Console, { programId }: TestProgram): Promise<TestMember> {
  const owner = await service.asMember('owner', { name: 'Dana Calder' });
  const actor = { kind: 'command' as const, id: 'test' };
  await transact(service.ctx, (tx) => addMember(tx, { programId, userId: owner.userId, role: 'owner', actor }));
  return owner;
}

/** A page in which requests fail, or the user lacks the permissions, where the state says so. */
async function openPage(app: Console, state: State): Promise<Watched> {
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

async function checkScreen(opened: Opened, screen: ListedScreen, state: State): Promise<void> {
  const page = await open(opened, screen, state);
  if (state === 'data') await checkFocus(page, screen.id);
  if (state === 'data') await checkAmounts(page, screen.id);
  await checkTableHeight(page, screen.id);
  // The object of a screen with a parameter doesn't exist in the empty program: its screen says so.
  const isMissing = state === 'empty' && screen.path.includes('$');
  const takeFaults = () => opened.pages[state].takeFaults().filter((fault) => !(isMissing && fault.includes('404')));
  assert.deepEqual(takeFaults(), [], `${screen.id}, ${state}`);
  if (state !== 'forbidden' || screen === forbiddenExample) await checkAppearances(page, `${screen.id}-${state}`);
  else await checkHeadline(page, `${screen.id}-${state}`);
  if (state === 'data') await checkNarrowTables(page, screen.id);
  assert.deepEqual(takeFaults(), [], `${screen.id}, ${state}`);
}

async function open({ app, programs, pages, examples, loaded }: Opened, screen: ListedScreen, state: State): Promise<Page> {
  const { page } = pages[state];
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const path = screen.path.replace(/\$(\w+)/g, (_, name: string) => {
    const example = examples[name];
    assert.ok(example, `fillProgram returns no ${name}`);
    return example;
  });
  const address = `${app.origin}/console/${programs[state].programId}/${path.replace(/^\//, '')}`;
  // What a screen requests is seen when the app is loaded with it.
  if (state === 'data') loaded.set(screen.id, await recordRequests(pages.data, () => loadScreen(page, address)));
  else await openScreen(page, address);
  return page;
}
