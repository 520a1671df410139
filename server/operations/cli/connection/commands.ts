// `login` and `profiles`: the installations that a person works with.
import type { Command } from 'commander';
import { CommandError, UsageError } from '../command-error.ts';
import { printColumns } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { parseUrl } from './connection.ts';
import { localUrl } from './local.ts';
import { getProfile, profilesFile, readProfiles, writeProfiles } from './profiles.ts';
import { readMe } from './program.ts';

type LoginOptions = { url?: string; key?: string; program?: string };

export function connectionCommands(cli: Command, terminal: Terminal): void {
  const add = (command: Command): Command =>
    command
      .option('--url <url>', 'The installation (default: this machine)')
      .option('--key <key>', 'The API key (default: asked for, or read from standard input)');
  add(cli.command('login'))
    .argument('[name]', 'Name of the profile', 'default')
    .option('--program <id>', 'On this machine: create an API key for this program')
    .action((name: string, options: LoginOptions) => login(name, options, terminal));
  const profiles = cli.command('profiles');
  profiles
    .command('list', { isDefault: true })
    .description('List profiles')
    .option('--json', 'Print JSON')
    .action((options) => list(options, terminal));
  add(profiles.command('add').description('Store an installation and an API key').argument('<name>', 'Name of the profile')).action(
    (name: string, options: LoginOptions) => login(name, options, terminal),
  );
  profiles
    .command('use')
    .description('Use a profile when none is given')
    .argument('<name>', 'Name of the profile')
    .action((name) => use(name, terminal));
  profiles
    .command('remove')
    .description('Delete a profile')
    .argument('<name>', 'Name of the profile')
    .action((name) => remove(name, terminal));
}

/** Stores a profile once the installation has accepted its key, and uses it from now on. */
async function login(name: string, options: LoginOptions, terminal: Terminal): Promise<void> {
  if (!/^[\w.-]{1,50}$/.test(name)) throw new UsageError('The name of a profile has letters, digits, dots, hyphens and underscores.');
  const url = options.url === undefined ? localUrl(terminal.env) : parseUrl(options.url);
  if (url === null) throw new UsageError('PORT is 0, so the port of the local installation is not known. Pass --url.');
  const key = options.program === undefined ? await findKey(options, terminal) : await createLocalKey(options.program);
  if (/^http:/.test(url) && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url))
    terminal.note(`warning: ${url} is not encrypted: others can read the API key.`);
  const { programId, program, apiKey } = await readMe({ url, key, program: null });
  const stored = await readProfiles(terminal.env);
  const profile = { url, key, programId, programName: program.name, currency: program.currency };
  await writeProfiles(terminal.env, { current: name, profiles: { ...stored.profiles, [name]: profile } });
  terminal.note(`Logged in to ${program.name} at ${url} with the key "${apiKey.name}" (${apiKey.scopes.join(', ')}).`);
  terminal.note(`Stored as profile "${name}" in ${profilesFile(terminal.env)}, which only you can read.`);
}

async function findKey({ key }: LoginOptions, terminal: Terminal): Promise<string> {
  const found = key ?? (terminal.canAsk ? await terminal.ask('API key: ', { isHidden: true }) : (await terminal.readInput()).trim());
  if (found === '')
    throw new UsageError(
      'An API key is required. Create one in the console under Settings → API keys, or pass --program on the machine of the installation.',
    );
  return found;
}

async function createLocalKey(program: string): Promise<string> {
  const { createLoginKey } = await import('./create-key.ts');
  return createLoginKey(program);
}

async function list({ json }: { json?: boolean }, terminal: Terminal): Promise<void> {
  const { current, profiles } = await readProfiles(terminal.env);
  const rows = Object.entries(profiles).map(([name, { key: _, ...profile }]) => ({ name, isCurrent: name === current, ...profile }));
  if (json || !terminal.isInteractive) return terminal.write(`${JSON.stringify(rows)}\n`);
  if (rows.length === 0) return terminal.note('No profiles. Add one with `tributary login`.');
  const column = (heading: string, cells: string[], rank: number) => ({
    heading,
    cells: cells.map((text) => ({ text })),
    isNumeric: false,
    isWhole: false,
    rank,
  });
  printColumns(terminal, [
    column(
      '',
      rows.map(({ isCurrent }) => (isCurrent ? '*' : '')),
      0,
    ),
    column(
      'NAME',
      rows.map(({ name }) => name),
      0,
    ),
    column(
      'PROGRAM',
      rows.map(({ programName }) => programName),
      1,
    ),
    column(
      'URL',
      rows.map(({ url }) => url),
      2,
    ),
  ]);
}

async function use(name: string, terminal: Terminal): Promise<void> {
  const stored = await readProfiles(terminal.env);
  const { programName, url } = getProfile(stored, name);
  await writeProfiles(terminal.env, { ...stored, current: name });
  terminal.note(`Using ${programName} at ${url}.`);
}

async function remove(name: string, terminal: Terminal): Promise<void> {
  const stored = await readProfiles(terminal.env);
  getProfile(stored, name);
  const kept = Object.fromEntries(Object.entries(stored.profiles).filter(([each]) => each !== name));
  if (Object.keys(kept).length === Object.keys(stored.profiles).length)
    throw new CommandError(`The profile "${name}" could not be deleted.`);
  await writeProfiles(terminal.env, { current: stored.current === name ? null : stored.current, profiles: kept });
  terminal.note(`Deleted the profile "${name}". Its API key still works: revoke it in the console.`);
}
