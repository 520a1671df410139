// The command line of Tributary. The file of a command is loaded when the command is called, and all of them for the list of
// commands: a process loads what it uses.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { type CommandFile, commandFiles } from './commands.ts';

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
  const called = commandFiles.filter(({ commands }) => commands.includes(process.argv[2] ?? ''));
  for (const file of called.length > 0 ? called : commandFiles) await add(file);
  await cli.parseAsync(process.argv);
} catch (error) {
  const { describeError, UsageError } = await import('./run.ts');
  process.stderr.write(`error: ${describeError(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
// A launcher's message channel must not keep a finished command alive.
if (process.channel) process.channel.unref();

async function add({ group, load }: CommandFile): Promise<void> {
  const addCommands = await load();
  cli.commandsGroup(group);
  addCommands(cli);
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return String(version);
}
