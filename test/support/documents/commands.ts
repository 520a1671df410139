// Compares the commands that documents show with the command line, the scripts of package.json and the benchmarks.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addNoun } from '../../../server/operations/cli/api/commands.ts';
import { readDocument } from '../../../server/operations/cli/api/document.ts';
import { listNouns } from '../../../server/operations/cli/api/operation.ts';
import { commandFiles } from '../../../server/operations/cli/commands.ts';
import { processTerminal } from '../../../server/operations/cli/terminal/terminal.ts';
import { addCalled } from '../../../server/operations/cli/tree.ts';
import { type Code, tracked } from './read.ts';

/** The command line, as `bin/tributary` declares it. */
const cli = new Command('tributary').option('--version');
for (const file of commandFiles) (await file.load())(cli, processTerminal(), addCalled);
for (const noun of listNouns(readDocument())) addNoun(cli, noun, processTerminal());

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const compose = readFileSync('compose.yaml', 'utf8');
const benchmarks = [...execFileSync(process.execPath, ['bench/main.ts'], { encoding: 'utf8' }).matchAll(/^ {2}(\w+) /gm)].map(
  ([, name]) => name ?? '',
);
/** The source of what npm scripts run, which reads their options. */
const scriptSources = tracked
  .filter((path) => /^(scripts|bench)\/.*\.ts$/.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const hasScriptOption = (option: string) => new RegExp(`'${option}[='"]`).test(scriptSources);

/** The faults of the commands in a piece of code. */
export function checkCommands({ text, kind }: Code): string[] {
  return splitCommands(text).flatMap((command) => {
    const [, , line] = /(^|[\s(])bin\/tributary(?= |$)(.*)/.exec(command) ?? [];
    if (line !== undefined) return checkTributary(splitWords(line), kind === 'block').map((fault) => `bin/tributary${line}: ${fault}`);
    const [, script, args] = /(?:^|\s)npm (?:run )?([\w:]+)(?: -- (.*))?/.exec(command) ?? [];
    if (script !== undefined) return checkScript(script, splitWords(args ?? '')).map((fault) => `${command.trim()}: ${fault}`);
    return kind === 'span' ? checkSpan(splitWords(command)).map((fault) => `${command}: ${fault}`) : [];
  });
}

/** A command may continue on the next line after a backslash. */
function splitCommands(text: string): string[] {
  return text
    .replace(/\\\n\s*/g, ' ')
    .split(/\n|&&|\||;/)
    .map((command) => command.replace(/\s#.*$/, '').trimEnd());
}

const splitWords = (line: string): string[] => line.match(/"[^"]*"|\S+/g) ?? [];

/** In prose, `secrets rotate` names a command, and `--check` an option of one. */
function checkSpan(words: readonly string[]): string[] {
  const [first = '', second = ''] = words[0] === 'tributary' ? words.slice(1) : words;
  if (/^--[a-z]/.test(first) && words.length === 1) return hasOption(first) ? [] : ['no command has this option'];
  const isCommand = cli.commands.some((command) => command.name() === first) && /^(--)?[a-z0-9-]+$|^[A-Z]+$/.test(second);
  return isCommand ? checkTributary(words[0] === 'tributary' ? words.slice(1) : words, false) : [];
}

function hasOption(name: string): boolean {
  const visit = (command: Command): boolean => command.options.some(({ long }) => long === name) || command.commands.some(visit);
  return visit(cli) || hasScriptOption(name);
}

/** A command in a block is complete: it has every argument and option that is required. */
function checkTributary(words: readonly string[], isComplete: boolean): string[] {
  let command = cli;
  const rest = [...words];
  for (let next = findSubcommand(command, rest); next; next = findSubcommand(command, rest)) {
    command = next;
    rest.shift();
  }
  if (command.commands.length > 0) return rest.length > 0 || isComplete ? [`has no command "${rest[0] ?? ''}"`] : [];
  const faults: string[] = [];
  const given = new Set<string>();
  let count = 0;
  while (rest.length > 0) {
    const word = rest.shift() ?? '';
    if (!word.startsWith('-')) {
      count += 1;
      continue;
    }
    const option = command.options.find(({ long, short }) => word.split('=')[0] === long || word === short);
    if (!option) faults.push(`has no option ${word}`);
    given.add(option?.long ?? word);
    const hasValue = option ? option.required : /^[^-]/.test(rest[0] ?? '-');
    const value = hasValue && !word.includes('=') ? rest.shift() : undefined;
    const isValid = !option?.argChoices || !/^[a-z]/.test(value ?? '') || option.argChoices.includes(value ?? '');
    if (!isValid) faults.push(`${word} must be one of ${option?.argChoices?.join(', ')}`);
  }
  const args = command.registeredArguments;
  if (count > args.length && !args.at(-1)?.variadic) faults.push(`has ${args.length} arguments`);
  if (!isComplete) return faults;
  if (count < args.filter(({ required }) => required).length) faults.push('lacks an argument');
  const missing = command.options.filter(({ mandatory, long }) => mandatory && !given.has(long ?? ''));
  return [...faults, ...missing.map(({ long }) => `lacks ${long}`)];
}

function findSubcommand(command: Command, rest: readonly string[]): Command | undefined {
  return command.commands.find((each) => each.name() === rest[0]);
}

function checkScript(script: string, args: readonly string[]): string[] {
  if (['ci', 'install', 'pack'].includes(script)) return [];
  if (!(script in scripts)) return ['package.json has no such script'];
  const [name = ''] = args;
  const faults = script === 'bench' && /^[a-z]/.test(name) && !benchmarks.includes(name) ? [`there is no benchmark ${name}`] : [];
  const options = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.split('=')[0] ?? '');
  return [...faults, ...options.filter((option) => !hasScriptOption(option)).map((option) => `has no option ${option}`)];
}

/** The faults of the commands that the services of compose.yaml run, and of the services that `--scale` names. */
export function checkCompose(text = compose): string[] {
  const run = [...text.matchAll(/^ {4}command: \[(.*)\]$/gm)].map(([, list = '']) => list.split(', '));
  const faults = run.filter(([name]) => name !== 'postgres').flatMap((words) => checkTributary(words, true));
  const scaled = [...text.matchAll(/--scale (\w+)=/g)].map(([, name = '']) => name);
  return [...faults, ...scaled.filter((name) => !text.includes(`\n  ${name}:\n`)).map((name) => `compose.yaml has no service ${name}`)];
}
