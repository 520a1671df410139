// Runs the code that a document shows, with what it uses.
import { readFileSync } from 'node:fs';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<unknown>;

/**
 * Runs the blocks of JavaScript in a file, one after the other, as one program. Imports and the creation of the client are left
 * out: `given` has what they provide. Functions that a block exports are returned by name.
 */
export async function runCode(
  path: string,
  given: Readonly<Record<string, unknown>>,
  edit = (code: string) => code,
): Promise<Record<string, unknown>> {
  const blocks = [...readFileSync(path, 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  if (blocks.length === 0) throw new Error(`${path} shows no code.`);
  const code = edit(blocks.join('\n'))
    .replace(/^import .*\n/gm, '')
    .replace(/^const client = createClient.*\n/gm, '');
  const exported = [...code.matchAll(/^export async function (\w+)/gm)].map(([, name = '']) => name);
  const program = `${code.replace(/^export /gm, '')}\nreturn { ${exported.join(', ')} };`;
  return (await new AsyncFunction(...Object.keys(given), program)(...Object.values(given))) as Record<string, unknown>;
}
