// The command line of Tributary. The file of a command is loaded when the command is called; the list of commands needs none.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { CommandError } from './command-error.ts';
import { processTerminal } from './terminal/terminal.ts';
import { addCalled } from './tree.ts';

const terminal = processTerminal();
const cli = new Command('tributary')
  .description('A self-hosted affiliate program service.')
  .configureHelp({ sortSubcommands: false, subcommandTerm: (command) => command.name() })
  .helpOption('-h, --help', 'Show help for a command')
  .helpCommand(false)
  .version(readVersion(), '-V, --version', 'Show the version')
  .showHelpAfterError('Run the command with --help for usage.')
  // Inherited by every command that is added. Errors of usage exit with 2, like those of most tools; others with 1.
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

// `tributary … | head` closes standard output early; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await addCalled(cli, process.argv[2], terminal);
  await cli.parseAsync(process.argv);
} catch (error) {
  process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  process.stderr.write(`error: ${error instanceof CommandError ? error.message : await describe(error)}\n`);
}
// A launcher's message channel must not keep a finished command alive.
if (process.channel) process.channel.unref();

async function describe(error: unknown): Promise<string> {
  const { describeError } = await import('./run.ts');
  return describeError(error);
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return String(version);
}
