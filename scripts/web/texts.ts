// The texts of the web apps, in one file per language for the first load and one per language and screen. Which namespaces a
// screen needs follows from its code, so no list of them can be incomplete.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { importsOf } from './imports.ts';

const languages = ['en', 'de'] as const;
const moduleName = /^virtual:texts\/(\w+)$/;
const fileName = /\/web\/locales\/(console|portal)-(\w+?)-(\w+)\.gen\.ts$/;

type Texts = Record<string, unknown>;

/** Supplies `virtual:texts/APP`, the functions that load the texts of the app (web/locales/texts.d.ts). */
export function textsPlugin(root: string): Plugin {
  const plans = new Map<string, TextPlan>();
  const planOf = (app: string): TextPlan => {
    const plan = plans.get(app) ?? planTexts(root, app);
    plans.set(app, plan);
    return plan;
  };
  return {
    name: 'tributary-texts',
    enforce: 'pre',
    watchChange: () => plans.clear(),
    resolveId: (source) => (moduleName.test(source) ? `\0${source}` : fileName.test(source) ? source : null),
    load(id) {
      const app = moduleName.exec(id.slice(1))?.[1];
      const [, of = '', language = '', screen = ''] = fileName.exec(id) ?? [];
      if (app === undefined && of === '') return null;
      const plan = planOf(app ?? of);
      for (const path of plan.sources) this.addWatchFile(join(root, path));
      if (app !== undefined) return writeLoaders(root, app, plan);
      return `export const texts = ${JSON.stringify(readTexts(root, plan, language, screen))};\n`;
    },
  };
}

type TextPlan = {
  /** The namespaces of the shell. */
  first: ReadonlySet<string>;
  /** The keys that the tables of contents name, `orders:title`: texts about screens that are not open, as in the navigation. */
  titles: ReadonlySet<string>;
  /** The keys of the sentences about screens of the settings, which only their overview shows. */
  descriptions: ReadonlySet<string>;
  /** The keys of the words by which the palette finds screens; only its dialog needs them. */
  keywords: ReadonlySet<string>;
  /** The additional namespaces of each screen, by its id. */
  screens: ReadonlyMap<string, readonly string[]>;
  /** The files that were read. */
  sources: ReadonlySet<string>;
};

/** Finds the namespaces that the shell and the screens of an app use. */
export function planTexts(root: string, app: string): TextPlan {
  const namespaces = globSync('*.json', { cwd: join(root, 'web/locales/en') }).map((name) => basename(name, '.json'));
  const contents = findContents(root, app);
  const shell = new Set<string>();
  collectSources(root, `web/${app}/main.tsx`, { found: shell, contents });
  const used = (paths: Iterable<string>) =>
    new Set([...paths].flatMap((path) => (contents.includes(path) ? [] : findNamespaces(read(root, path), namespaces))));
  const first = used(shell);
  const sources = new Set(shell);
  const screens = new Map<string, readonly string[]>();
  for (const [, id = '', path = ''] of contents
    .map((path) => read(root, path))
    .join('')
    .matchAll(/\bid: '([^']+)',.*?\bimport\('\.\/([^']+)'\)/gs)) {
    if (!/^\w+$/.test(id)) throw new Error(`The id of a screen names its file of texts, so "${id}" must consist of letters and digits.`);
    const found = new Set<string>();
    collectSources(root, `web/${app}/${path}`, { found, contents });
    for (const source of found) sources.add(source);
    screens.set(id, [...used(found).difference(first)].sort());
  }
  const keysOf = (form: RegExp) => new Set(contents.flatMap((path) => [...read(root, path).matchAll(form)].map(([, key = '']) => key)));
  const descriptions = keysOf(/\bdescription: '([\w-]+:\w+)'/g);
  const keywords = keysOf(/\bkeywords: '([\w-]+:\w+)'/g);
  const titles = keysOf(/'([\w-]+:\w+)'/g)
    .difference(descriptions)
    .difference(keywords);
  return { first, titles, descriptions, keywords, screens, sources };
}

/** Every source file of an app. */
export function listSources(root: string, app: string): string[] {
  return [...planTexts(root, app).sources];
}

/** The files that hold the table of contents of an app. */
function findContents(root: string, app: string): string[] {
  return globSync('*screens.ts', { cwd: join(root, 'web', app) })
    .sort()
    .map((name) => `web/${app}/${name}`);
}

/** Follows imports, including those on demand, except the ones of the screens. */
function collectSources(root: string, path: string, search: { found: Set<string>; contents: readonly string[] }): void {
  const { found, contents } = search;
  if (found.has(path) || !/^web\/.*\.tsx?$/.test(path) || path.endsWith('.gen.ts')) return;
  found.add(path);
  for (const { target, isType, isDynamic } of importsOf({ path, text: read(root, path) }))
    if (!isType && !(isDynamic && contents.includes(path))) collectSources(root, target, search);
}

/** The namespaces in `useTranslation('shell')`, `useTranslation(['members', 'shell'])` and keys such as `'shell:app'`, not `data:` URLs. */
function findNamespaces(text: string, namespaces: readonly string[]): string[] {
  const calls = [...text.matchAll(/\buseTranslation\(([^)]*)\)/g)].flatMap(([, given = '']) => given.match(/[\w-]+/g) ?? ['shell']);
  const keys = [...text.matchAll(/['`](?!data:\w+\/)([\w-]+):\w/g)].map(([, name = '']) => name);
  return [...calls, ...keys].filter((name) => namespaces.includes(name));
}

/** The screen that shows the descriptions of the others. */
const overview = 'settings';
/** What the texts of the palette are loaded as. */
const palette = 'palette';

function writeLoaders(root: string, app: string, { screens, keywords }: TextPlan): string {
  const loader = (language: string, screen: string) =>
    `() => import(${JSON.stringify(join(root, `web/locales/${app}-${language}-${screen}.gen.ts`))})`;
  const first = languages.map((language) => `${language}: ${loader(language, 'shell')}`);
  const others = languages.map((language) => {
    const loaders = [...screens].filter(([id, names]) => names.length > 0 || id === overview).map(([id]) => id);
    const loaded = keywords.size === 0 ? loaders : [...loaders, palette];
    return `${language}: { ${loaded.map((id) => `${id}: ${loader(language, id)}`).join(', ')} }`;
  });
  return `export const shell = { ${first.join(', ')} };\nexport const screens = { ${others.join(', ')} };\n`;
}

function readTexts(root: string, { first, titles, descriptions, keywords, screens }: TextPlan, language: string, screen: string): Texts {
  const readNamespace = (name: string) => JSON.parse(read(root, `web/locales/${language}/${name}.json`)) as Texts;
  const later = new Set([...screens.values()].flat());
  const select = (keys: ReadonlySet<string>): [string, Texts][] =>
    [...later].flatMap((name) => {
      const texts = Object.entries(readNamespace(name)).filter(([key]) => keys.has(`${name}:${key}`));
      return texts.length === 0 ? [] : [[name, Object.fromEntries(texts)]];
    });
  const whole = (names: Iterable<string>) => [...names].map((name): [string, Texts] => [name, readNamespace(name)]);
  if (screen === 'shell') return Object.fromEntries([...select(titles), ...whole(first)]);
  if (screen === palette) return Object.fromEntries(select(keywords));
  return Object.fromEntries([...(screen === overview ? select(descriptions) : []), ...whole(screens.get(screen) ?? [])]);
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
