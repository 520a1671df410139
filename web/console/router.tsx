// The router, derived from the table of contents: /console lists the programs, /console/PROGRAM-ID/… shows a screen in
// the shell.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { NotFound } from './not-found/NotFound.tsx';
import { type Screen, screens } from './screens.ts';
import { parseSearch, stringifySearch } from './url-state.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const program = createRoute({ getParentRoute: () => root, path: '$programId', component: Outlet });

function toRoute({ path, load }: Screen) {
  return createRoute({ getParentRoute: () => program, path, component: lazyRouteComponent(load, 'Screen') });
}

/** Creates the router of the console. */
export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren([program.addChildren(screens.map(toRoute))]),
    basepath: '/console',
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}
