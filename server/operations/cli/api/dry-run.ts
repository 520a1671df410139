// What a writing command would send and, where the API can tell, what would happen.
import type { Connection } from '../connection/connection.ts';
import { type ApiRequest, type ApiResponse, send } from '../connection/send.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Operation } from './operation.ts';
import { isForPeople, printResponse } from './print-response.ts';

export type Prepared = { connection: Connection; operation: Operation; request: ApiRequest };

export async function printDryRun(prepared: Prepared, { json }: { json?: boolean }, terminal: Terminal): Promise<void> {
  const { connection, operation, request } = prepared;
  const body = request.body === undefined ? undefined : JSON.parse(request.body);
  const url = connection.url + request.path;
  if (!isForPeople(terminal, { json })) {
    const preview = operation.canPreview ? (await sendPreview(prepared)).body : undefined;
    return terminal.write(`${JSON.stringify({ request: { method: request.method, url, body }, preview })}\n`);
  }
  terminal.write(`${request.method} ${url}\n`);
  if (body !== undefined) terminal.write(`${JSON.stringify(body, null, 2)}\n`);
  if (operation.canPreview) await printPreview(prepared, terminal);
  terminal.note('Nothing was changed (--dry-run).');
}

/** Prints the answer of the API to the same request with `dryRun`. */
export async function printPreview(prepared: Prepared, terminal: Terminal): Promise<void> {
  const response = await sendPreview(prepared);
  terminal.write('\nThe API answers that this would happen:\n\n');
  printResponse({ ...prepared, response }, {}, terminal);
}

/** Sends the request with `dryRun`: the API answers what would happen, and changes nothing. */
export function sendPreview({ connection, request }: Pick<Prepared, 'connection' | 'request'>): Promise<ApiResponse> {
  const body = { ...JSON.parse(request.body ?? '{}'), dryRun: true };
  return send(connection, { ...request, headers: {}, body: JSON.stringify(body), isRepeatable: true });
}
