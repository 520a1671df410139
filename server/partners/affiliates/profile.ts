// The fields of an affiliate that connect it with other systems, each in one place: POST, PATCH, the details, the audit log,
// the version, the export and both imports follow from `profileFields`. A new one also needs its column, by a migration.
import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { Affiliates } from '../../platform/db/schema.gen.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { foldAccents, fullName } from '../../platform/lib/text.ts';

type ProfileField<Given, Stored> = {
  /** What POST and PATCH accept. */
  input: z.ZodType<Given>;
  /** What the details return. */
  output: z.ZodType<Stored>;
  /** Of an affiliate that was created without the field. */
  initial: Stored;
  example: Stored;
  /** The value after a change; without it, what was given replaces what was stored, and is part of the version. */
  merge?(stored: Stored, given: Given): Stored;
  /** Other names of its column in an imported file, in lower case without spaces. */
  columnNames: readonly string[];
  /** The cell of a file, and the value that a cell contains. Without them, the text itself. */
  toCell?(stored: Stored): string;
  parseCell?(cell: string): unknown;
};

/** Keeps the types of one field together. */
const field = <Given, Stored>(declared: ProfileField<Given, Stored>) => declared;

const maxKeys = 50;
const key = line(40);
const value = z.string().max(500, 'must not be longer than 500 characters');

export const profileFields = {
  externalId: field({
    input: externalIdentifier(200).nullable().describe("The affiliate's id in your system; unique in the program."),
    output: z.string().nullable().describe("The affiliate's id in your system."),
    initial: null,
    example: 'crm-1815',
    columnNames: ['affiliateid', 'customerid'],
  }),
  metadata: field({
    input: z
      .record(key, value.nullable())
      .refine((given) => Object.keys(given).length <= maxKeys, { error: `must not have more than ${maxKeys} keys` })
      .describe('Text values by key: keys up to 40 characters, values up to 500. Merged with the stored keys; null removes a key.'),
    output: z.record(z.string(), z.string()).describe('Up to 50 keys with text values, for your own use.'),
    initial: {},
    example: { source: 'newsletter' },
    merge: mergeMetadata,
    columnNames: [],
    toCell: (stored) => (Object.keys(stored).length === 0 ? '' : JSON.stringify(stored)),
    parseCell: parseJson,
  }),
  tags: field({
    input: z
      .array(line(50))
      .max(50)
      .transform((tags) => [...new Set(tags)])
      .describe('Your own labels, at most 50. Replaces the whole list.')
      .meta({ json: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 50 } } }),
    output: z.array(z.string()),
    initial: [],
    example: ['podcast'],
    columnNames: ['tag', 'labels'],
    // A tag that contains a separator is only unambiguous in JSON.
    toCell: (stored) => (stored.some((tag) => /^\[|[;|]/.test(tag)) ? JSON.stringify(stored) : stored.join(';')),
    parseCell: (cell) => (cell.startsWith('[') ? parseJson(cell) : cell.split(/[;|]/).flatMap((tag) => tag.trim() || [])),
  }),
};

type Fields = typeof profileFields;
export type ProfileName = keyof Fields;
export type Profile = { [Name in ProfileName]: z.output<Fields[Name]['output']> };
export type GivenProfile = { [Name in ProfileName]?: z.output<Fields[Name]['input']> | undefined };
/** The columns as they are read, which have the names of the fields. */
export type ProfileColumns = Pick<Selectable<Affiliates>, ProfileName>;

export const profileNames = Object.keys(profileFields) as ProfileName[];

function mapFields<Result>(map: (name: ProfileName) => unknown): Result {
  return Object.fromEntries(profileNames.map((name) => [name, map(name)])) as Result;
}

/** The optional fields of POST and PATCH. */
export const profileInput = mapFields<{ [Name in ProfileName]: z.ZodOptional<Fields[Name]['input']> }>((name) =>
  profileFields[name].input.optional(),
);
export const profileOutput = mapFields<{ [Name in ProfileName]: Fields[Name]['output'] }>((name) => profileFields[name].output);
export const profileExample = mapFields<Profile>((name) => profileFields[name].example);

export function readProfile(row: ProfileColumns): Profile {
  return mapFields((name) => profileFields[name].output.parse(row[name]));
}

/** The fields that replace what is stored, so that a change which was based on an older version could undo another one. */
export function versionedProfile(row: ProfileColumns): unknown[] {
  return profileNames.filter((name) => !('merge' in profileFields[name])).map((name) => row[name]);
}

/** The given fields as they are stored afterwards. */
export function applyProfile(stored: Profile, given: GivenProfile): { [Name in ProfileName]?: Profile[Name] | undefined } {
  return mapFields((name) => applyField(profileFields[name] as ProfileField<unknown, unknown>, stored[name], given[name]));
}

/** The fields of a new affiliate. */
export function createProfile(given: GivenProfile): Profile {
  return mapFields((name) => applyField(profileFields[name] as ProfileField<unknown, unknown>, undefined, given[name]));
}

function applyField({ initial, merge }: ProfileField<unknown, unknown>, stored: unknown, given: unknown): unknown {
  if (given === undefined) return stored === undefined ? initial : undefined;
  return merge ? merge(stored ?? initial, given) : given;
}

/** The values of the columns. Objects are stored as JSON; undefined fields are left unchanged. */
export function toProfileColumns(
  profile: { [Name in ProfileName]?: Profile[Name] | undefined },
): Pick<Insertable<Affiliates>, ProfileName> {
  const isObject = (stored: unknown) => typeof stored === 'object' && stored !== null && !Array.isArray(stored);
  return mapFields((name) => (isObject(profile[name]) ? JSON.stringify(profile[name]) : profile[name]));
}

/** The cells of an exported row. */
export function profileCells(profile: Profile): Record<ProfileName, unknown> {
  return mapFields((name) => toCell(profileFields[name] as ProfileField<unknown, unknown>, profile[name]));
}

function toCell({ toCell: format }: ProfileField<unknown, unknown>, stored: unknown): unknown {
  return format ? format(stored) : stored;
}

/** Throws Invalid when the result would have too many keys. */
function mergeMetadata(stored: Record<string, string>, given: Record<string, string | null>): Record<string, string> {
  const merged = Object.entries({ ...stored, ...given }).flatMap(([name, text]) => (text === null ? [] : [[name, text]]));
  if (merged.length > maxKeys) throw new Invalid([{ path: ['metadata'], message: `must not have more than ${maxKeys} keys in total` }]);
  return Object.fromEntries(merged);
}

/** Text that is not JSON is left as it is, and rejected by the field. */
function parseJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

type Searched = { firstName: string; lastName: string; email: string; referralCode: string };

/** The text that the list searches. The separator can't be typed, so a match never spans two fields. */
export function buildSearchText({ firstName, lastName, email, referralCode }: Searched): string {
  return foldAccents([fullName({ firstName, lastName }), email, referralCode].join('\u001f'));
}
