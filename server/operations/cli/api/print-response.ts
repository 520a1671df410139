// Prints a response: a table or labelled values for people, otherwise exactly what the API returned.
import { CommandError } from '../command-error.ts';
import type { Connection } from '../connection/connection.ts';
import type { ApiResponse } from '../connection/send.ts';
import { printColumns } from '../terminal/table.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { isRow, type Row, toColumns } from './columns.ts';
import { readDocument, resolveSchema } from './document.ts';
import type { Operation } from './operation.ts';
import { printRecord } from './print-record.ts';

export type PrintOptions = { json?: boolean | undefined; columns?: string[]; all?: boolean };

type Answered = { connection: Connection; operation: Operation; response: ApiResponse };

/** Whether results are printed for people. */
export function isForPeople(terminal: Terminal, { json }: PrintOptions): boolean {
  return terminal.isInteractive && !json;
}

export function printResponse(answered: Answered, options: PrintOptions, terminal: Terminal): void {
  const { operation, connection, response } = answered;
  const { status, headers, content, body, mediaType } = response;
  if (status >= 300) {
    terminal.write(`${headers.get('location') ?? ''}\n`);
    return;
  }
  if (body === undefined) {
    printFile(terminal, { content, mediaType });
    return;
  }
  if (!isForPeople(terminal, options)) {
    terminal.write(`${terminal.isInteractive ? JSON.stringify(body, null, 2) : JSON.stringify(body)}\n`);
    return;
  }
  const currency = connection.program?.currency ?? null;
  if (operation.paging && isRow(body)) {
    printList(answered, body, { options, currency }, terminal);
    return;
  }
  printRecord(terminal, { document: readDocument(), value: body, schema: operation.result, currency });
}

function printFile(terminal: Terminal, { content, mediaType }: { content: Buffer; mediaType: string }): void {
  const isText = /^(text|application\/(json|xml))|\+xml|csv/.test(mediaType);
  if (terminal.isInteractive && !isText) throw new CommandError(`The response is a file (${mediaType}). Pass --output FILE.`);
  terminal.write(content);
}

type Shown = { options: PrintOptions; currency: string | null };

function printList({ operation: { paging, result } }: Answered, body: Row, { options, currency }: Shown, terminal: Terminal): void {
  const name = paging?.rows ?? '';
  const rows = Array.isArray(body[name]) ? body[name].filter(isRow) : [];
  const total = typeof body.total === 'number' ? body.total : null;
  if (rows.length === 0) {
    terminal.note(total ? 'No more results.' : 'No results.');
    return;
  }
  const document = readDocument();
  const list = resolveSchema(document, result?.properties?.[name] ?? {});
  const schema = list.items ? resolveSchema(document, list.items) : null;
  const hidden = printColumns(terminal, toColumns(document, { rows, schema, currency }, options.columns));
  terminal.note(
    paint(
      terminal,
      'dim',
      `\n${summarize(rows.length, total, body.nextCursor)}${hidden.length > 0 ? ` Not shown: ${hidden.join(', ').toLowerCase()}.` : ''}`,
    ),
  );
}

function summarize(count: number, total: number | null, nextCursor: unknown): string {
  const isComplete = total === null ? !nextCursor : count >= total;
  if (isComplete) return `${count} ${count === 1 ? 'result' : 'results'}.`;
  const of = total === null ? '' : ` of ${total.toLocaleString('en')}`;
  return `${count}${of} results. --all shows all; filters narrow them.`;
}
