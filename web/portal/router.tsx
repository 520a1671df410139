// The router, derived from the table of contents: /portal opens a program, /portal/PROGRAM-ID/… shows a screen in the shell.
import { type AnyRoute, createRootRoute, createRoute, createRouter, type RouterHistory } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { CrashedScreen } from '../frame/CrashedScreen.tsx';
import { lazyScreen, loadFile } from '../frame/lazy-screen.tsx';
import { Root } from '../frame/root.tsx';
import { parseSearch, stringifySearch } from '../url/url-state.ts';
import { ScreenRoute } from './screen/ScreenRoute.tsx';
import { type Screen, screens } from './screens.ts';
import { NotFoundPage, NotFoundScreen } from './shell/NotFoundPage.tsx';
import { Shell } from './shell/Shell.tsx';
import { ShellSkeleton } from './shell/ShellSkeleton.tsx';
import { accountStatus } from './status-screens.ts';

// Most visits open a program directly.
const Programs = lazy(async () => ({ default: (await loadFile(() => import('./shell/Programs.tsx'))).Programs }));

const AccountStatus = lazyScreen(accountStatus);

function ProgramsRoute() {
  return (
    <Suspense fallback={<ShellSkeleton />}>
      <Programs />
    </Suspense>
  );
}

function toRoute(screen: Screen, program: AnyRoute) {
  const Content = lazyScreen(screen);
  const component = () => (
    <ScreenRoute screen={screen} otherwise={<AccountStatus />}>
      <Content />
    </ScreenRoute>
  );
  const route = Object.assign(component, { preload: Content.preload });
  return createRoute({ getParentRoute: () => program, path: screen.path, component: route, errorComponent: CrashedScreen });
}

type Parts = { root: () => ReactNode; shell: () => ReactNode; shown: readonly Screen[]; history?: RouterHistory };

/** Creates the router of the portal, or of the screens that are shown in a frame. */
export function createPortalRouter({ root, shell, shown, ...options }: Parts = { root: Root, shell: Shell, shown: screens }) {
  const top = createRootRoute({ component: root, notFoundComponent: NotFoundPage });
  const programs = createRoute({ getParentRoute: () => top, path: '/', component: ProgramsRoute, errorComponent: CrashedScreen });
  const program = createRoute({ getParentRoute: () => top, path: '$programId', component: shell, notFoundComponent: NotFoundScreen });
  return createRouter({
    routeTree: top.addChildren([programs, program.addChildren(shown.map((screen) => toRoute(screen, program)))]),
    basepath: '/portal',
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    ...options,
  });
}
