// The router, derived from the table of contents: /portal opens a program, /portal/PROGRAM-ID/… shows a screen in the shell.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { CrashedScreen } from '../frame/CrashedScreen.tsx';
import { lazyScreen, loadFile } from '../frame/lazy-screen.tsx';
import { Root } from '../frame/root.tsx';
import { parseSearch, stringifySearch } from '../url/url-state.ts';
import { ScreenRoute } from './screen/ScreenRoute.tsx';
import { type Screen, screens } from './screens.ts';
import { NotFoundPage, NotFoundScreen } from './shell/NotFoundPage.tsx';
import { Shell } from './shell/Shell.tsx';
import { ShellSkeleton } from './shell/ShellSkeleton.tsx';

// Most visits open a program directly.
const Programs = lazy(async () => ({ default: (await loadFile(() => import('./shell/Programs.tsx'))).Programs }));

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });
const programs = createRoute({ getParentRoute: () => root, path: '/', component: ProgramsRoute, errorComponent: CrashedScreen });
const program = createRoute({ getParentRoute: () => root, path: '$programId', component: Shell, notFoundComponent: NotFoundScreen });

function ProgramsRoute() {
  return (
    <Suspense fallback={<ShellSkeleton />}>
      <Programs />
    </Suspense>
  );
}

function toRoute(screen: Screen) {
  const Content = lazyScreen(screen);
  const component = () => (
    <ScreenRoute screen={screen}>
      <Content />
    </ScreenRoute>
  );
  const route = Object.assign(component, { preload: Content.preload });
  return createRoute({ getParentRoute: () => program, path: screen.path, component: route, errorComponent: CrashedScreen });
}

/** Creates the router of the portal. */
export function createPortalRouter() {
  return createRouter({
    routeTree: root.addChildren([programs, program.addChildren(screens.map(toRoute))]),
    basepath: '/portal',
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
  });
}
