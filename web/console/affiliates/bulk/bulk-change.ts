// The changes that can be made to selected affiliates.
import type { Input } from '../../../api/call.ts';
import type { Selection } from '../../../ui/table/table-types.ts';
import type { Filter } from '../affiliate-table.ts';

export const bulkKinds = ['approve', 'reject', 'suspend', 'archive', 'group', 'tags', 'override', 'invitation'] as const;
export type BulkKind = (typeof bulkKinds)[number];

/** What the fields of the sheet hold; each kind uses its own. */
export type BulkValues = {
  note: string;
  sendEmail: boolean;
  groupId: string | null;
  add: string;
  remove: string;
  overrideType: 'percentage' | 'flat' | 'none';
  rate: number | null;
  amountCents: number | null;
};

export const emptyValues: BulkValues = {
  note: '',
  sendEmail: true,
  groupId: null,
  add: '',
  remove: '',
  overrideType: 'percentage',
  rate: null,
  amountCents: null,
};

export type BulkBody = Input<'affiliates.bulk'>['body'] & object;

/** The body of the request without the count, or null while a value is missing. */
export function toBody(
  kind: BulkKind,
  values: BulkValues,
  { selection, filter }: { selection: Selection; filter: Filter },
): BulkBody | null {
  const change = toChange(kind, values);
  if (change === null) return null;
  const selected = selection.isAllMatching ? { filter } : { ids: [...selection.ids] };
  const note = hasNote(kind) && values.note !== '' ? { note: values.note } : null;
  return { ...selected, ...note, change, sendEmail: values.sendEmail } as BulkBody;
}

/** Whether the affiliates read a reason. */
export function hasNote(kind: BulkKind): boolean {
  return kind === 'reject' || kind === 'suspend';
}

function toChange(kind: BulkKind, values: BulkValues): object | null {
  if (kind === 'group') return { kind, groupId: values.groupId };
  if (kind === 'tags') {
    const [add, remove] = [splitTags(values.add), splitTags(values.remove)];
    return add.length + remove.length === 0 ? null : { kind, add, remove };
  }
  if (kind !== 'override') return { kind };
  const { overrideType: type, rate, amountCents } = values;
  if (type === 'none') return { kind, commissionOverrideType: null };
  const value = type === 'percentage' ? rate : amountCents;
  return value === null ? null : { kind, commissionOverrideType: type, commissionOverrideRate: value };
}

function splitTags(text: string): string[] {
  return [...new Set(text.split(',').flatMap((tag) => tag.trim() || []))];
}
