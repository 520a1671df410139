// What can follow an incomplete line: nouns, verbs, options and their values, read from the commands themselves.
import { Command, type Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

/** Adds the commands that a call of the named one needs. */
export type AddCalled = (cli: Command, name: string | undefined, terminal: Terminal) => Promise<void>;

export type Candidate = { value: string; description: string };

/** The candidates for the last of these words, which may be empty. */
export async function findCandidates(words: readonly string[], addCalled: AddCalled, terminal: Terminal): Promise<Candidate[]> {
  const [before, incomplete] = [words.slice(0, -1), words.at(-1) ?? ''];
  const cli = new Command('tributary');
  await addCalled(cli, before[0], terminal);
  const { command, isFinal } = descend(cli, before);
  const pending = findOption(command, before.at(-1));
  const all = pending && takesValue(pending) ? choicesOf(pending) : candidatesOf(command, incomplete, isFinal);
  return all.filter(({ value }) => value.startsWith(incomplete));
}

/** The command that the words lead to. It is final once it has received an argument. */
function descend(cli: Command, words: readonly string[]): { command: Command; isFinal: boolean } {
  let command = cli;
  for (const [index, word] of words.entries()) {
    const previous = findOption(command, words[index - 1]);
    if (word.startsWith('-') || (previous && takesValue(previous))) continue;
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (!next) return { command, isFinal: true };
    command = next;
  }
  return { command, isFinal: false };
}

function candidatesOf(command: Command, incomplete: string, isFinal: boolean): Candidate[] {
  if (incomplete.startsWith('-')) return optionsOf(command);
  const [argument] = command.registeredArguments;
  const values = isFinal ? [] : (argument?.argChoices ?? []).map((value) => ({ value, description: argument?.description ?? '' }));
  const help = command.createHelp();
  const commands = isFinal ? [] : help.visibleCommands(command).filter((each) => each.name() !== 'help');
  return [...commands.map((each) => ({ value: each.name(), description: firstLine(each.summary() || each.description()) })), ...values];
}

function optionsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleOptions(command);
  return visible.flatMap(({ long, description }) => (long ? [{ value: long, description: firstLine(description) }] : []));
}

function findOption(command: Command, word: string | undefined): Option | undefined {
  return word?.startsWith('-') ? command.options.find(({ long, short }) => long === word || short === word) : undefined;
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function choicesOf({ argChoices }: Option): Candidate[] {
  return (argChoices ?? []).map((value) => ({ value, description: '' }));
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 80) ?? '';
}
