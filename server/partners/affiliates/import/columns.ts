// Which column of a CSV file contains which field of an affiliate: as the user chose, else by the column's name.
import { type ProfileName, profileFields, profileNames } from '../profile.ts';

export const importFields = [
  'email',
  'name',
  'firstName',
  'lastName',
  'groupId',
  'parentAffiliateId',
  'autoApprove',
  'sendInvite',
  ...profileNames,
] as const;
export type ImportField = (typeof importFields)[number];

/** Other names of a field, in the form of `normalize`. */
const synonyms: Record<Exclude<ImportField, ProfileName>, readonly string[]> = {
  email: ['emailaddress', 'mail', 'emailadresse'],
  name: ['fullname', 'affiliate', 'affiliatename', 'displayname'],
  firstName: ['first', 'givenname', 'vorname', 'forename'],
  lastName: ['last', 'surname', 'familyname', 'nachname'],
  groupId: ['group'],
  parentAffiliateId: ['parent', 'upline'],
  autoApprove: ['approve', 'approved'],
  sendInvite: ['sendinvitation', 'invite'],
};

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The field of each column, or null for a column that is ignored. A field is taken from its first column. */
export function matchColumns(names: readonly string[], chosen: Readonly<Record<string, ImportField | null>> = {}): (ImportField | null)[] {
  const taken = new Set<ImportField>();
  return names.map((name) => {
    const field = Object.hasOwn(chosen, name) ? (chosen[name] ?? null) : findField(name);
    if (field === null || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

function findField(name: string): ImportField | null {
  const form = normalize(name);
  return importFields.find((field) => field.toLowerCase() === form || namesOf(field).includes(form)) ?? null;
}

function namesOf(field: ImportField): readonly string[] {
  return isProfileName(field) ? profileFields[field].columnNames : synonyms[field];
}

function isProfileName(field: string): field is ProfileName {
  return Object.hasOwn(profileFields, field);
}

/** The fields of an invitation in a row of cells. A full name is split before its last word. */
export function toInvitation(fields: readonly (ImportField | null)[], cells: readonly string[]): Record<string, unknown> {
  const given: Partial<Record<ImportField, string>> = {};
  for (const [index, field] of fields.entries()) {
    const cell = cells[index]?.trim();
    if (field !== null && cell) given[field] = cell;
  }
  const { name, autoApprove, sendInvite, ...texts } = given;
  const split = name === undefined ? null : splitName(name);
  const values = Object.entries(texts).map(([field, cell]) => [field, parseCell(field, cell)]);
  const parsed: Record<string, unknown> = { ...split, ...Object.fromEntries(values) };
  if (autoApprove !== undefined) parsed.autoApprove = toFlag(autoApprove);
  if (sendInvite !== undefined) parsed.sendInvite = toFlag(sendInvite);
  return parsed;
}

function parseCell(field: string, cell: string): unknown {
  const parse = isProfileName(field) && 'parseCell' in profileFields[field] ? profileFields[field].parseCell : null;
  return parse ? parse(cell) : cell;
}

function splitName(name: string): { firstName: string; lastName: string } {
  const words = name.split(/\s+/);
  const last = words.length > 1 ? words.pop() : '';
  return { firstName: words.join(' '), lastName: last ?? '' };
}

/** Other texts are not converted, and are rejected. */
function toFlag(text: string): boolean | string {
  if (/^(true|yes|1)$/i.test(text)) return true;
  return /^(false|no|0)$/i.test(text) ? false : text;
}
