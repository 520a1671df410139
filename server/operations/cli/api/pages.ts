// Follows the pages of a list, with its progress on standard error.
import type { Connection } from '../connection/connection.ts';
import { type ApiRequest, type ApiResponse, send } from '../connection/send.ts';
import { formatProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Paging } from './operation.ts';

const pageSize = '200';

type List = { connection: Connection; request: ApiRequest; paging: Paging };
export type Page = Record<string, unknown> & { total?: number; nextCursor?: string | null };

/** One response with the rows of all pages. */
export async function readAllPages({ connection, request, paging }: List, terminal: Terminal): Promise<ApiResponse> {
  const url = new URL(request.path, 'http://api');
  if (!url.searchParams.has('limit')) url.searchParams.set('limit', pageSize);
  const rows: unknown[] = [];
  for (;;) {
    const response = await send(connection, { ...request, path: url.pathname + url.search });
    const page = response.body as Page;
    const found = page[paging.rows] as unknown[];
    rows.push(...found);
    const next = findNext(paging, page, { count: rows.length, isEmpty: found.length === 0 });
    if (next === null) return finish(terminal, response, { page, name: paging.rows, rows });
    url.searchParams.set(paging.by, next);
    terminal.showProgress(formatProgress(rows.length, page.total ?? null));
  }
}

/** Where the next page starts; null after the last one. */
export function findNext(
  { by }: Paging,
  { total, nextCursor }: Page,
  { count, isEmpty }: { count: number; isEmpty: boolean },
): string | null {
  if (isEmpty) return null;
  if (by === 'cursor') return nextCursor ?? null;
  return total !== undefined && count < total ? String(count) : null;
}

function finish(
  terminal: Terminal,
  response: ApiResponse,
  { page, name, rows }: { page: Page; name: string; rows: unknown[] },
): ApiResponse {
  terminal.showProgress('');
  const body = { ...page, [name]: rows, limit: rows.length, offset: 0, nextCursor: null };
  return { ...response, body, content: Buffer.from(`${JSON.stringify(body)}\n`) };
}
