// What a command reads from and writes to. Tests pass another one.
import { text } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { ask } from './ask.ts';

export type Style = Parameters<typeof styleText>[0];

export type Terminal = {
  env: Record<string, string | undefined>;
  /** A person reads standard output: results are tables instead of JSON. */
  isInteractive: boolean;
  /** A person can answer a question. */
  canAsk: boolean;
  hasColor: boolean;
  columns: number;
  write(output: string | Uint8Array): void;
  /** Writes to standard error, which is not part of the result. */
  note(message: string): void;
  /** Replaces the last line of standard error, for progress. */
  showProgress(message: string): void;
  ask(question: string, options?: { isHidden: boolean }): Promise<string>;
  readInput(): Promise<string>;
};

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    env: process.env,
    isInteractive: stdout.isTTY === true,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    hasColor: stdout.isTTY === true && !process.env.NO_COLOR && stdout.hasColors(),
    columns: stdout.columns ?? 80,
    write: (output) => void stdout.write(output),
    note: (message) => void stderr.write(`${message}\n`),
    showProgress: (message) => void (stderr.isTTY && stderr.write(`\r\x1b[2K${message}`)),
    ask: (question, options) => ask(question, { input: stdin, output: stderr, isHidden: options?.isHidden ?? false }),
    readInput: () => text(stdin),
  };
}

export function paint({ hasColor }: Pick<Terminal, 'hasColor'>, style: Style, value: string): string {
  return hasColor ? styleText(style, value, { validateStream: false }) : value;
}
