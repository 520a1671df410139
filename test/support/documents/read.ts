// The documents of the repository, and the code that they show: inline spans and fenced blocks, each with its line.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type Document = { path: string; text: string; code: readonly Code[] };

export type Code = {
  text: string;
  line: number;
  /** `span`: between backticks. `block`: a fenced block, which readers paste. */
  kind: 'span' | 'block';
};

/** Every tracked file. */
export const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean);

const fence = /^ *```/;

/** The changelog names what existed then, and `docs/routes.md` is generated from the routes. */
const skipped = new Set(['CHANGELOG.md', 'docs/routes.md']);

/** The tracked Markdown, compose.yaml, Dockerfile and .env.example. */
export const documents: readonly Document[] = tracked
  .filter((path) => (path.endsWith('.md') && !skipped.has(path)) || ['compose.yaml', 'Dockerfile', '.env.example'].includes(path))
  .map((path) => {
    const text = readFileSync(path, 'utf8');
    return { path, text, code: findCode(text) };
  });

/** Applies `check` to each piece of code of each document; returns its faults with their place. */
export function findFaults(check: (code: Code, document: Document) => readonly string[], given = documents): string[] {
  return given.flatMap((document) =>
    document.code.flatMap((code) => check(code, document).map((fault) => `${document.path}:${code.line}: ${fault}`)),
  );
}

/** A document that a test makes up. */
export function parseDocument(path: string, text: string): Document {
  return { path, text, code: findCode(text) };
}

function findCode(text: string): Code[] {
  const found: Code[] = [];
  let prose = '';
  let block: { text: string; line: number } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (!fence.test(line)) {
      if (block) block.text += `${line}\n`;
      // Without the mark of a comment, which may interrupt a span.
      prose += block ? '\n' : `${line.replace(/^ *# /, '')}\n`;
      continue;
    }
    if (block) found.push({ text: block.text, line: block.line, kind: 'block' });
    block = block ? null : { text: '', line: index + 2 };
    prose += '\n';
  }
  for (const { 1: span = '', index } of prose.matchAll(/`([^`]+)`/g))
    found.push({ text: span.replace(/\s+/g, ' '), line: prose.slice(0, index).split('\n').length, kind: 'span' });
  return found;
}
