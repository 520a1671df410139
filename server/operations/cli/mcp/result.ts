// A response of the API as the result of a tool.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Operation, Paging } from '../api/operation.ts';
import { findNext, type Page } from '../api/pages.ts';
import type { ApiResponse } from '../connection/send.ts';

/** JSON as text; files that a model can look at as images, other files as resources. */
export function toResult(operation: Operation, response: ApiResponse): CallToolResult {
  const { body, content, mediaType } = response;
  if (body !== undefined)
    return toText(operation.paging ? { ...(body as object), page: describePage(operation.paging, body as Page) } : body);
  if (content.length === 0) return { content: [{ type: 'text', text: 'Done.' }] };
  if (mediaType === 'image/png') return { content: [{ type: 'image', data: content.toString('base64'), mimeType: mediaType }] };
  if (mediaType.startsWith('text/') || mediaType.endsWith('xml')) return { content: [{ type: 'text', text: content.toString() }] };
  const resource = { uri: `tributary:${operation.id}`, mimeType: mediaType, blob: content.toString('base64') };
  return { content: [{ type: 'resource', resource }] };
}

export function toText(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}

/** How many rows are shown of how many, and the argument that continues the list; `next` is null at its end. */
function describePage(paging: Paging, page: Page): object {
  const rows = (page[paging.rows] as unknown[]).length;
  const next = findNext(paging, page, { count: Number(page.offset ?? 0) + rows, isEmpty: rows === 0 });
  const argument = next === null ? null : paging.by === 'cursor' ? { cursor: next } : { offset: Number(next) };
  return { rows, total: page.total, next: argument };
}
