// The command line of Tributary.
import { Command } from 'commander';
import { keyCommands } from './accounts/key.ts';
import { programCommands } from './accounts/program.ts';
import { userCommands } from './accounts/user.ts';
import { backupCommands } from './backup.ts';
import { checkCommands } from './check.ts';
import { csvCommands } from './csv.ts';
import { demoCommands } from './demo.ts';
import { mailCommands } from './mail.ts';
import { freezeCommands } from './maintenance/freeze.ts';
import { pageCommands } from './page.ts';
import { describeError } from './run.ts';
import { secretsCommands } from './secrets.ts';
import { serveCommands } from './serve.ts';
import { taxCommands } from './tax.ts';

const cli = new Command('tributary')
  .description('A self-hosted affiliate program service.')
  .configureHelp({ sortSubcommands: false, subcommandTerm: (command) => command.name() })
  .helpOption('-h, --help', 'Show help for a command')
  .helpCommand(false)
  .showHelpAfterError('Run the command with --help for usage.');

cli.commandsGroup('Service:');
serveCommands(cli);
cli.commandsGroup('Programs:');
programCommands(cli);
keyCommands(cli);
userCommands(cli);
pageCommands(cli);
cli.commandsGroup('Data:');
mailCommands(cli);
csvCommands(cli);
taxCommands(cli);
demoCommands(cli);
cli.commandsGroup('Maintenance:');
backupCommands(cli);
secretsCommands(cli);
freezeCommands(cli);
checkCommands(cli);

// `tributary … | head` closes standard output early; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await cli.parseAsync(process.argv);
} catch (error) {
  process.stderr.write(`error: ${describeError(error)}\n`);
  process.exitCode = 1;
}
// A launcher's message channel must not keep a finished command alive.
if (process.channel) process.channel.unref();
