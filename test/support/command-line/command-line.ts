// Runs the command line in this process against a service that listens, as a person at a terminal or as a script.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { CommandError } from '../../../server/operations/cli/command-error.ts';
import type { Terminal } from '../../../server/operations/cli/terminal/terminal.ts';
import { addCalled } from '../../../server/operations/cli/tree.ts';
import type { Outcome } from '../operator.ts';

type Setting = { isInteractive?: boolean; columns?: number; answer?: string; input?: string; env?: Record<string, string> };

export type CommandLine = {
  /** XDG_CONFIG_HOME of the commands. */
  folder: string;
  run(args: readonly string[], setting?: Setting): Promise<Outcome>;
  close(): Promise<void>;
};

/** `env` holds the variables of every command, such as TRIBUTARY_URL. */
export async function openCommandLine(env: Record<string, string>): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-cli-'));
  return {
    folder,
    run: (args, setting = {}) =>
      runCommand(args, { ...setting, env: { XDG_CONFIG_HOME: folder, DATA_DIR: folder, ...env, ...setting.env } }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function runCommand(args: readonly string[], setting: Setting): Promise<Outcome> {
  const printed = { stdout: '', stderr: '' };
  const terminal = createTerminal(printed, setting);
  const cli = new Command('tributary').exitOverride();
  cli.configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.note(text) });
  try {
    await addCalled(cli, args[0], terminal);
    await cli.parseAsync(args, { from: 'user' });
    return { code: 0, ...printed };
  } catch (error) {
    if (error instanceof CommandError) return { code: error.exitCode, ...printed, stderr: `${printed.stderr}error: ${error.message}\n` };
    if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2, ...printed };
    throw error;
  }
}

export function createTerminal(
  printed: { stdout: string; stderr: string },
  { isInteractive = false, columns = 80, answer, input = '', env = {} }: Setting,
): Terminal {
  return {
    env,
    isInteractive,
    canAsk: answer !== undefined,
    hasColor: false,
    columns,
    write: (output) => {
      printed.stdout += typeof output === 'string' ? output : Buffer.from(output).toString();
    },
    note: (message) => {
      printed.stderr += `${message}\n`;
    },
    showProgress: () => undefined,
    ask: async (question) => {
      printed.stderr += question;
      return answer ?? '';
    },
    readInput: async () => input,
  };
}
