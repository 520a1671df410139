// Compares the environment variables that documents name with the settings and with what the code reads.
import { readFileSync } from 'node:fs';
import { settings } from '../../../server/config.ts';
import { type Document, tracked } from './read.ts';

const sources = tracked
  .filter((path) => /\.(ts|mjs|js|yaml|yml)$|^\.ci\/|Dockerfile$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Variables that the code reads, by name or by destructuring `process.env`, as `${NAME}`, and as `NAME: value` of a container. */
function findRead(text: string): string[] {
  const direct = [...text.matchAll(/process\.env(?:\.|\[')([A-Z][A-Z0-9_]*)/g)].map(([, name = '']) => name);
  const parts = [...text.matchAll(/\{([^{}]*)\} = process\.env\b/g)].flatMap(([, list = '']) => list.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
  return [...direct, ...parts];
}

/** Variables of the command line, where it sends requests to an installation. */
const ofCommandLine = ['TRIBUTARY_URL', 'TRIBUTARY_API_KEY', 'TRIBUTARY_PROFILE', 'XDG_CONFIG_HOME'];

const known = new Set<string>([...Object.keys(settings), ...ofCommandLine]);
for (const { path, text } of sources) {
  for (const name of findRead(text)) known.add(name);
  const ofContainers = /\.ya?ml$|Dockerfile$|^\.ci\//.test(path) ? text.matchAll(/\$\{([A-Z_]+)|\b([A-Z][A-Z_]+)[:=]/g) : [];
  for (const [, used, set] of ofContainers) known.add(used ?? set ?? '');
}

/** Capitals that are not variables: the methods of HTTP, and what readers replace. */
const capitals = /^(GET|POST|PATCH|PUT|DELETE|HEAD|OPTIONS|[A-Z]{1,2})$/;

/** The variables that a document names and neither the settings nor the code know. */
export function findUnknownVariables({ text, code }: Document): string[] {
  const exported = new Set([...text.matchAll(/\bexport (.*)$/gm)].flatMap(([, list = '']) => list.match(/\b[A-Z]+(?==)/g) ?? []));
  const named = [
    ...[...text.matchAll(/(?<!=")\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name),
    ...code.flatMap(({ text: shown }) => [...shown.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=(?=\S)/g)].map(([, name = '']) => name)),
    ...code.filter(({ kind }) => kind === 'span').flatMap(({ text: span }) => (/^[A-Z][A-Z0-9_]+$/.test(span) ? [span] : [])),
  ];
  return [...new Set(named)].filter((name) => !capitals.test(name) && !known.has(name) && !exported.has(name));
}

/** Variables of the system. */
const ofSystem = new Set(['PATH', 'HOME', 'USER', 'TMPDIR', 'NODE_ENV', 'NO_COLOR']);

/** The variables that the service reads and that are not settings, with their files. */
export function findUndeclaredVariables(): string[] {
  return sources
    .filter(({ path }) => path.startsWith('server/') && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) =>
      findRead(text)
        .filter((name) => !(name in settings) && !ofSystem.has(name))
        .map((name) => `${path}: ${name}`),
    );
}
