// Runs the command of an operation: asks for confirmation where money moves, sends the request, and prints the response.
import { writeFile } from 'node:fs/promises';
import { UsageError } from '../command-error.ts';
import { type Connection, type ConnectionOptions, requireKey, resolveConnection } from '../connection/connection.ts';
import { getProgram } from '../connection/program.ts';
import { type ApiRequest, type ApiResponse, send } from '../connection/send.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { confirm } from './confirm.ts';
import { printDryRun } from './dry-run.ts';
import { readAllPages } from './pages.ts';
import { printResponse } from './print-response.ts';
import { type Call, type RequestOptions, toRequest } from './request.ts';

export type RunOptions = ConnectionOptions &
  RequestOptions & { json?: boolean; all?: boolean; columns?: string[]; output?: string; dryRun?: boolean; yes?: boolean };

export async function runOperation(call: Call, options: RunOptions, terminal: Terminal): Promise<void> {
  const { operation } = call;
  requireFields(call, options);
  const connection = await resolveConnection(terminal, options);
  if (!operation.isOpen) requireKey(connection);
  const program = operation.hasProgram ? await getProgram(connection) : null;
  const known: Connection = program ? { ...connection, program } : connection;
  const request = await toRequest(call, program?.id ?? null, options, terminal);
  if (options.dryRun) return printDryRun({ connection: known, operation, request }, options, terminal);
  if (operation.effect && !options.yes) await confirm({ connection: known, operation, request }, terminal);
  const response = await sendFor(known, call, request, { isAll: options.all ?? false, terminal });
  const warning = response.headers.get('tributary-warning');
  if (warning) terminal.note(`warning: ${warning}`);
  if (options.output === undefined) return printResponse({ connection: known, operation, response }, options, terminal);
  await writeFile(options.output, response.content);
  terminal.note(`Wrote ${options.output} (${response.content.length} bytes).`);
}

function requireFields({ operation, given }: Call, { data }: RunOptions): void {
  const missing = operation.query.filter((field) => field.isRequired && !given.has(field));
  const missingFields = data === undefined ? operation.body.filter((field) => field.isRequired && !given.has(field)) : [];
  const flags = [...missing, ...missingFields].map(({ flag }) => `--${flag}`);
  if (flags.length > 0)
    throw new UsageError(`Missing ${flags.join(', ')}. \`tributary ${operation.noun} ${operation.verb} --help\` explains them.`);
}

type Sending = { isAll: boolean; terminal: Terminal };

async function sendFor(
  connection: Connection,
  { operation }: Call,
  request: ApiRequest,
  { isAll, terminal }: Sending,
): Promise<ApiResponse> {
  const { paging } = operation;
  return isAll && paging ? readAllPages({ connection, request, paging }, terminal) : send(connection, request);
}
