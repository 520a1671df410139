// The router, derived from the table of contents: /console lists the programs, /console/PROGRAM-ID/… shows a screen in
// the shell.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { CrashedScreen } from '../frame/CrashedScreen.tsx';
import { lazyScreen } from '../frame/lazy-screen.tsx';
import { Root } from '../frame/root.tsx';
import { parseSearch, stringifySearch } from '../url/url-state.ts';
import { allPrograms } from './program-screens.ts';
import { Programs } from './programs/Programs.tsx';
import { ScreenRoute } from './screen/ScreenRoute.tsx';
import { type Screen, screens } from './screens.ts';
import { NotFoundPage, NotFoundScreen } from './shell/NotFoundPage.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });
const AllPrograms = lazyScreen(allPrograms);
const programs = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => (
    <Programs>
      <AllPrograms />
    </Programs>
  ),
});
const program = createRoute({ getParentRoute: () => root, path: '$programId', component: Shell, notFoundComponent: NotFoundScreen });

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

/** Creates the router of the console. */
export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren([programs, program.addChildren(screens.map(toRoute))]),
    basepath: '/console',
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
  });
}
