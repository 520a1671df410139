// A response of the API as the result of a tool.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Operation } from '../api/operation.ts';
import type { ApiResponse } from '../connection/send.ts';

/** JSON as text; files that a model can look at as images, other files as resources. */
export function toResult(operation: Operation, response: ApiResponse): CallToolResult {
  const { body, content, mediaType } = response;
  if (body !== undefined) return toText(operation.paging ? { ...(body as object), page: describePage(operation, body as Page) } : body);
  if (content.length === 0) return { content: [{ type: 'text', text: 'Done.' }] };
  if (mediaType === 'image/png') return { content: [{ type: 'image', data: content.toString('base64'), mimeType: mediaType }] };
  if (mediaType.startsWith('text/') || mediaType.endsWith('xml')) return { content: [{ type: 'text', text: content.toString() }] };
  const resource = { uri: `tributary:${operation.id}`, mimeType: mediaType, blob: content.toString('base64') };
  return { content: [{ type: 'resource', resource }] };
}

export function toText(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}

type Page = Record<string, unknown> & { total?: number; nextCursor?: string | null; offset?: number };

/** How many rows are shown of how many, and the argument that continues the list; `next` is null at its end. */
function describePage({ paging }: Operation, page: Page): object {
  const rows = (page[paging?.rows ?? ''] as unknown[] | undefined)?.length ?? 0;
  const { total, nextCursor, offset = 0 } = page;
  if (paging?.by === 'cursor') return { rows, total, next: nextCursor ? { cursor: nextCursor } : null };
  const isLast = rows === 0 || (total !== undefined && offset + rows >= total);
  return { rows, total, next: isLast ? null : { offset: offset + rows } };
}
