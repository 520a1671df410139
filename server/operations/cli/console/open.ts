// `open`: opens a screen of the console in the browser, or prints its address.
import { spawn } from 'node:child_process';
import { Argument, type Command } from 'commander';
import { addConnectionOptions } from '../api/commands.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { type ConnectionOptions, resolveConnection } from '../connection/connection.ts';
import { getProgram } from '../connection/program.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { screens } from './screens.gen.ts';

type OpenOptions = ConnectionOptions & { print?: boolean };

export function openCommands(cli: Command, terminal: Terminal): void {
  const command = cli
    .command('open')
    .addArgument(new Argument('[screen]', 'The screen').choices(Object.keys(screens)).default('overview'))
    .argument('[ids...]', 'The ids of what the screen shows, such as of an affiliate')
    .option('--print', 'Print the address (default: if standard output is not a terminal)');
  addConnectionOptions(command);
  command.action((screen: string, ids: string[], options: OpenOptions) => open({ screen, ids }, options, terminal));
}

async function open({ screen, ids }: { screen: string; ids: string[] }, options: OpenOptions, terminal: Terminal): Promise<void> {
  const connection = await resolveConnection(terminal, options);
  const { id } = await getProgram(connection);
  const address = `${connection.url}/console/${id}${fillPath(screen, ids)}`;
  if (options.print || !terminal.isInteractive) return terminal.write(`${address}\n`);
  terminal.note(`Opening ${address}`);
  await openInBrowser(address);
}

function fillPath(screen: string, ids: readonly string[]): string {
  const path = screens[screen] ?? '';
  const names = [...path.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
  if (names.length !== ids.length) {
    const expected = names.length === 0 ? 'no ids' : names.join(' and ');
    throw new UsageError(
      `The screen "${screen}" takes ${expected}: \`tributary open ${[screen, ...names.map((name) => name.toUpperCase())].join(' ')}\`.`,
    );
  }
  const values = [...ids];
  return path === '/' ? '' : path.replace(/\$\w+/g, () => encodeURIComponent(values.shift() ?? ''));
}

/** Starts the browser without waiting for it. */
async function openInBrowser(address: string): Promise<void> {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', () => reject(new CommandError(`No browser could be opened. Open ${address}`)));
  });
  child.unref();
}
