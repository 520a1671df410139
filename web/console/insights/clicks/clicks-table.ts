// The table of clicks in the URL: its days, and what the link that led here narrows it to. Pure.
import { days } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';
import type { RawSearch } from '../../../url/url-state.ts';
import { readNarrowings } from '../../conversions/narrowings.ts';

export const clickTable = tableState({
  filters: { created: days('createdFrom', 'createdTo', ['from', 'to']) },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
});

const names = ['affiliateId', 'groupId', 'link', 'subId', 'landingPage', 'country', 'source'] as const;
const missing = ['group', 'link', 'subId', 'landingPage', 'country', 'source', 'device'] as const;

/** What links from other screens narrow the list to. */
export const narrowings = [...names, 'device', 'without'] as const;

export function readOnly(raw: RawSearch) {
  return readNarrowings(raw, names, missing);
}
