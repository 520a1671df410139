// What the request log shows of a body or query. Its declaration decides, field by field: numbers, enums, ids, times, and texts
// that it marks with `logged`. Everything else is replaced, and undeclared fields are left out, so that a field that is added
// later is not shown by mistake. Pure.
import type { z } from 'zod';
import { type Json, toJsonSchema } from '../http/openapi/schemas.ts';
import { canonicalUuid } from '../lib/ids.ts';

/** Replaces what the log doesn't show. */
export const masked = '***';

const maxTextLength = 300;
const timestamp = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,18}(?:Z|[+-]\d{2}:\d{2})$/;

export type Mask = {
  /** The value without what the log doesn't show. A value of another type than declared is masked, too. */
  apply(value: unknown): unknown;
  /** Whether a field anywhere in the declaration has this name. Other names were made up by the caller. */
  hasField(name: string): boolean;
};

/** The mask of values with this declaration. */
export function createMask(schema: z.ZodType): Mask {
  const definitions: Json = {};
  const declared = toJsonSchema(schema, 'input', definitions);
  const names = new Set([declared, definitions].flatMap(collectNames));
  return { apply: (value) => mask(declared, value, definitions), hasField: (name) => names.has(name) };
}

function collectNames(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const names = isSchema(part) && !Array.isArray(part) ? Object.keys(propertiesOf(part) ?? {}) : [];
  return [...names, ...Object.values(part).flatMap(collectNames)];
}

function mask(declared: unknown, value: unknown, definitions: Json): unknown {
  if (value === null) return null;
  const schema = resolve(declared, value, definitions);
  if (!schema) return masked;
  if (Array.isArray(value)) return maskItems(schema, value, definitions);
  // A query has a list with one entry as a text.
  if (typeof value !== 'object' && isSchema(schema.items)) return mask(schema.items, value, definitions);
  if (typeof value !== 'object') return isShown(schema, value) ? value : masked;
  const fields = propertiesOf(schema);
  if (!fields) return masked;
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(fields, name));
  return Object.fromEntries(known.map(([name, item]) => [name, mask(fields[name], item, definitions)]));
}

function maskItems({ items }: Json, values: readonly unknown[], definitions: Json): unknown {
  return isSchema(items) ? values.map((value) => mask(items, value, definitions)) : masked;
}

/** The schema of this value: what a reference names, and of several variants the first that fits. */
function resolve(declared: unknown, value: unknown, definitions: Json): Json | null {
  if (!isSchema(declared)) return null;
  const { $ref: reference } = declared;
  if (typeof reference === 'string') return resolve(definitions[reference.split('/').at(-1) ?? ''], value, definitions);
  const variants = declared.anyOf ?? declared.oneOf;
  if (!Array.isArray(variants)) return declared;
  for (const variant of variants) {
    const found = resolve(variant, value, definitions);
    if (found && fits(found, value)) return found;
  }
  return null;
}

function fits(schema: Json, value: unknown): boolean {
  if (Array.isArray(value)) return isSchema(schema.items);
  if (typeof value !== 'object' || value === null) return isShown(schema, value);
  const fields = propertiesOf(schema);
  return fields !== null && Object.entries(fields).every(([name, field]) => isVariant(field, (value as Json)[name]));
}

/** False if the field tells variants apart, and has the value of another one. */
function isVariant(field: unknown, value: unknown): boolean {
  return !isSchema(field) || field.const === undefined || field.const === value;
}

/** A number or boolean in a query is text. */
function isShown(schema: Json, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const types = [schema.type].flat();
  if (typeof value === 'boolean') return types.includes('boolean');
  if (typeof value === 'number') return types.includes('number') || types.includes('integer');
  if (typeof value !== 'string') return false;
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return true;
  if ((types.includes('number') || types.includes('integer')) && /^-?\d{1,15}$/.test(value)) return true;
  if (schema.format === 'uuid') return canonicalUuid(value) !== null;
  if (schema.format === 'date-time') return timestamp.test(value);
  return schema['x-logged'] === true && value.length <= maxTextLength;
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function propertiesOf({ properties }: Json): Json | null {
  return isSchema(properties) ? properties : null;
}
