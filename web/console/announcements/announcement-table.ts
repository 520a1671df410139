// The table of announcements in the URL: its filter, order and page, and what is open. Pure.
import { someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';

export const statuses = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;

const sheets = ['create'] as const;

export const announcementTable = tableState({ filters: { status: someOf('status', statuses) }, sorts: ['createdAt'] });

export function readOpen(raw: RawSearch) {
  return { announcementId: readText(raw, 'announcement') ?? null, sheet: readOne(raw, 'sheet', sheets) };
}
