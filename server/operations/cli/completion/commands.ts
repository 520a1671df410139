// `completion`: scripts for shells, which ask this command for the candidates of an incomplete line.
import { Argument, type Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { type AddCalled, findCandidates } from './candidates.ts';
import { scripts } from './scripts.ts';

export function completionCommands(cli: Command, terminal: Terminal, addCalled: AddCalled): void {
  cli.enablePositionalOptions();
  const command = cli.command('completion').enablePositionalOptions().addHelpText('after', `\n${instructions}`);
  command
    .command('script', { isDefault: true, hidden: true })
    .addArgument(new Argument('<shell>', 'The shell').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => terminal.write(scripts[shell]));
  for (const shell of Object.keys(scripts) as (keyof typeof scripts)[])
    command
      .command(shell)
      .description(`Print the script for ${shell}`)
      .action(() => terminal.write(scripts[shell]));
  command
    .command('candidates', { hidden: true })
    .argument('[words...]', 'The words after `tributary`, the last of which is incomplete')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action((words: string[]) => complete(words, addCalled, terminal));
}

async function complete(words: readonly string[], addCalled: AddCalled, terminal: Terminal): Promise<void> {
  const candidates = await findCandidates(words, addCalled, terminal);
  terminal.write(candidates.map(({ value, description }) => `${value}\t${description}\n`).join(''));
}

const instructions = `To complete commands in this shell and in every new one:
  bash  echo 'source <(tributary completion bash)' >> ~/.bashrc
  zsh   echo 'source <(tributary completion zsh)' >> ~/.zshrc    (after compinit)
  fish  tributary completion fish > ~/.config/fish/completions/tributary.fish`;
