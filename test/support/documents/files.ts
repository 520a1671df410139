// Compares the files, folders and names of the code in documents with those of the repository.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type Code, type Document, tracked } from './read.ts';

const folders = [
  ...new Set(
    tracked.flatMap((path) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, index, parts) => parts.slice(0, index + 1).join('/')),
    ),
  ),
];
const roots = folders.filter((folder) => !folder.includes('/'));
const path = /^(?:[\w.@<>*{},-]+\/)*[\w.@<>*{},-]+(?:\.(?:ts|tsx|mjs|sql|md|json|yaml|svg|png|css|gen\.ts|txt)|\/)$/;

/** A part in angle brackets, in capitals or with `*` is a placeholder. */
function toPattern(named: string): string {
  return named
    .replace(/\/$/, '')
    .split('/')
    .map((part) =>
      part
        .replace(/\./g, '\\.')
        .replace(/<\w+>|\*+|\b[A-Z]+(?=\\\.)/g, (match) =>
          /^(README|ARCHITECTURE|CONTRIBUTING|GLOSSARY|SECURITY|CHANGELOG)$/.test(match) ? match : '[^/]+',
        ),
    )
    .join('/');
}

/** A path that starts with a folder of the root is complete; others, such as `ledger/post.ts`, may be below any folder. */
function exists(named: string): boolean {
  const isComplete = roots.includes(named.split('/')[0] ?? '');
  const pattern = new RegExp(`${isComplete ? '^' : '(^|/)'}${toPattern(named)}$`);
  return (named.endsWith('/') ? folders : tracked).some((each) => pattern.test(each));
}

/** What commands create, and git ignores. */
const ignored = /^(\.tributary|data|node_modules)\//;

/** The faults of the files in a piece of code, other than those that the document has its readers create. */
export function checkFiles({ text, kind }: Code, document: Document): string[] {
  const created = new Set([...document.text.matchAll(/Create `([^`]+)`/g)].map(([, name]) => name));
  const words =
    kind === 'span' ? [text, ...text.split(' ')] : text.split(/[\s'"`,;()]+/).filter((word) => roots.includes(word.split('/')[0] ?? ''));
  return [...new Set(words)]
    .filter((word) => path.test(word) && !created.has(word) && !ignored.test(word) && !exists(word))
    .map((word) => `${word} does not exist`);
}

/** Every word of the sources, other than tests: a name in a document is one of them. */
const words = new Set(
  tracked
    .filter((each) => /\.(ts|tsx|mjs|sql|json|css|ya?ml)$|^(bin|\.ci)\//.test(each) && !/\.test\.ts$/.test(each))
    .flatMap((each) => readFileSync(each, 'utf8').match(/\w+/g) ?? []),
);

/** Names of PostgreSQL and Citus, a placeholder, a setting of the example shop, and names of other systems that the guides connect. */
const otherNames = new Set(
  (
    'pg_dump pg_hba conf pg_dist_authinfo citus_update_node replicate_reference_tables citus_rebalance_start XInput SHOP_USER ' +
    'cartAttributesUpdate InstallReferrerClient onOpenURL webpageURL'
  ).split(' '),
);

/** The faults of the names in a piece of code: `tableState` and `payouts.status` are words of a source, each of their parts. */
export function checkNames({ text, kind }: Code): string[] {
  if (kind === 'block' || !/^[A-Za-z_][\w.]*(\(\))?$/.test(text) || path.test(text)) return [];
  // Names of metrics are put together from a prefix and a name.
  const isKnown = (part: string) => words.has(part) || words.has(part.replace(/^tributary_/, '')) || otherNames.has(part);
  return (text.match(/\w+/g) ?? []).every(isKnown) ? [] : [`${text} is in no source`];
}

/** The faults of a row of a table that names folders, or files in folders: each other file is at the root or below one of these. */
export function checkRow(row: string): string[] {
  const names = [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const below = names.filter((name) => name.includes('/')).map((name) => name.slice(0, name.lastIndexOf('/') + 1));
  const isBelow = (name: string) =>
    below.some((folder) => tracked.some((each) => each.startsWith(folder) && each.slice(folder.length - 1).endsWith(`/${name}`)));
  if (!below.some((folder) => folders.includes(folder.slice(0, -1)))) return [];
  return names
    .filter((name) => path.test(name) && !name.includes('/') && !tracked.includes(name) && !isBelow(name))
    .map((name) => `${name} is in none of the folders of its row`);
}

/** The links of a document to files that do not exist. */
export function findBrokenLinks({ path: from, text }: Document): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => posix.join(posix.dirname(from), target).replace(/\/$/, ''))
    .filter((target) => !tracked.includes(target) && !folders.includes(target))
    .map((target) => `${from}: ${target} does not exist`);
}
