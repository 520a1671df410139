// Compares the paths of addresses that documents name with the routes of the service and the screens of the web apps.
import type { FastifyInstance } from 'fastify';
import { listScreens } from '../screens/table-of-contents.ts';
import type { Code } from './read.ts';

export type Route = { methods: readonly string[]; path: string };

/** Every address of the service: its routes, the screens of the web apps, and the metrics, which have their own port. */
export async function listAddresses(app: FastifyInstance): Promise<Route[]> {
  const screens = (['console', 'portal'] as const).map(async (name) =>
    (await listScreens(name)).map(({ path }) => ({ methods: ['GET'], path: `/${name}/:programId/${path.replaceAll('$', ':')}` })),
  );
  const bases = ['/metrics', '/console', '/portal'].map((path) => ({ methods: ['GET'], path }));
  return [...listRoutes(app), ...(await Promise.all(screens)).flat(), ...bases];
}

function listRoutes(app: FastifyInstance): Route[] {
  const trail: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      if (part === '') return [];
      trail.length = indent.length / 4;
      trail.push(part);
      return methods ? [{ methods: methods.split(', '), path: trail.join('') }] : [];
    });
}

/** The first segments of addresses; other spans with a slash name files, settings or commands. */
const first = 'v1|app|portal|console|join|r|enter|docs|health|metrics|sign-in|link-unavailable|unsubscribe|payout-change|welcome';
const address = new RegExp(
  `(?:\\b(GET|POST|PATCH|PUT|DELETE) )?(?<![\\w.>*}-])((?:…|\\$API)/|/(?:${first})(?![\\w.-])/?|/(?:openapi\\.json|t\\.js)\\b)([\\w:$%{}…*~./-]*)`,
  'g',
);

/** The faults of the addresses in a piece of code: no route has this path, or not with this method. */
export function checkAddresses({ text, kind }: Code, routes: readonly Route[]): string[] {
  return [...text.replace(/\$\{API%\/v1\}/g, '').matchAll(address)].flatMap(([, method, start = '', rest = '']) => {
    const named = `${start}${rest}`.replace(/[.:]+$/, '');
    const found = routes.filter((route) => matches(named, route.path, { isExample: kind === 'block', isPrefix: method === undefined }));
    if (found.length === 0) return [`${named} does not exist`];
    return method && !found.some(({ methods }) => methods.includes(method)) ? [`${named} has no ${method}`] : [];
  });
}

type Rules = {
  isExample: boolean;
  /** Without a method, a path may name all that is below it, such as `/app/portal`. */
  isPrefix: boolean;
};

function matches(named: string, path: string, { isExample, isPrefix }: Rules): boolean {
  const wanted = named
    .replace(/^\$API/, '/v1')
    .replace(/^…/, '')
    .split('/')
    .filter(Boolean);
  const actual = path.split('/').filter(Boolean);
  const isSuffix = named.startsWith('…');
  if (wanted.at(-1)?.startsWith('*')) wanted.pop();
  const compared = isSuffix ? actual.slice(-wanted.length) : isPrefix ? actual.slice(0, wanted.length) : actual;
  if (compared.length !== wanted.length) return false;
  const isPage = !['v1', 'app'].includes(actual[0] ?? '');
  return compared.every((segment, index) => matchesSegment(wanted[index] ?? '', segment, !isSuffix && (isExample || isPage)));
}

/** A placeholder matches only a parameter; a value, such as `ada`, matches one in an example. */
function matchesSegment(wanted: string, segment: string, isExample: boolean): boolean {
  const isPlaceholder = /^[:$…{]|^[A-Z][A-Z-]*$/.test(wanted);
  if (segment.startsWith(':')) return isPlaceholder || isExample;
  return wanted === segment || (segment === '*' && isExample);
}
