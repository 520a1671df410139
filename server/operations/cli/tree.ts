// The commands that a call needs: those of the called one, or the names of all for the list of commands.
import type { Command } from 'commander';
import { addNoun, addNounSummaries } from './api/commands.ts';
import { type CommandFile, commandFiles } from './commands.ts';
import type { Terminal } from './terminal/terminal.ts';

const exitStatus = 'Exit status: 0 success, 1 error, 2 usage, 3 not found, 4 not allowed, 5 conflict or nothing to do, 6 unavailable.';

/** Adds the called command with everything below it; without one, all commands as the list shows them. */
export async function addCalled(cli: Command, name: string | undefined, terminal: Terminal): Promise<void> {
  const file = commandFiles.find(({ commands }) => name !== undefined && Object.hasOwn(commands, name));
  if (file) return addFile(cli, file, terminal);
  if (name !== undefined && !name.startsWith('-') && addNoun(cli, name, terminal)) return;
  const [own, operator] = [commandFiles.filter(({ group }) => !isOperator(group)), commandFiles.filter(({ group }) => isOperator(group))];
  for (const each of own) addSummaries(cli, each);
  addNounSummaries(cli);
  for (const each of operator) addSummaries(cli, each);
  cli.addHelpText('after', `\n${exitStatus}\nExamples:\n  tributary affiliates list --status active\n  tributary commissions --help`);
}

async function addFile(cli: Command, { commands, load }: CommandFile, terminal: Terminal): Promise<void> {
  const addCommands = await load();
  addCommands(cli, terminal, addCalled);
  for (const command of cli.commands) command.description(commands[command.name()] ?? command.description());
}

function addSummaries(cli: Command, { group, commands }: CommandFile): void {
  cli.commandsGroup(group);
  for (const [name, summary] of Object.entries(commands)) cli.command(name).description(summary);
}

/** Commands that open the database of this machine come last. */
function isOperator(group: string): boolean {
  return group.includes('this machine');
}
