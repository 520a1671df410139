// The public API as `openapi.json` describes it, which is generated from the declarations of the endpoints. Reading it takes
// a tenth of the time of loading the endpoints themselves.
import { readFileSync } from 'node:fs';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

type Content = Record<string, { schema: Schema }>;

export type OperationObject = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  'x-required-scope': string;
  'x-moves-money'?: boolean;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};

export type ApiDocument = {
  tags: { name: string; description: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
};

let document: ApiDocument | undefined;

/** Parsed once: it has almost two megabytes, and a command needs it for its options and for its output. */
export function readDocument(): ApiDocument {
  document ??= JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')) as ApiDocument;
  return document;
}

/** How a schema refers to another one. */
export const schemaPrefix = '#/components/schemas/';

/** A schema without references and null: an alternative to null becomes the schema, and alternatives of objects one object. */
export function resolveSchema({ components }: Pick<ApiDocument, 'components'>, schema: Schema): Schema {
  if (schema.$ref) {
    const { $ref, ...own } = schema;
    const target = components.schemas[$ref.slice(schemaPrefix.length)];
    if (!$ref.startsWith(schemaPrefix) || !target) throw new Error(`The API document lacks ${$ref}.`);
    return resolveSchema({ components }, { ...target, ...own });
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (!alternatives) return schema;
  const resolved = alternatives.map((each) => resolveSchema({ components }, each)).filter(({ type }) => type !== 'null');
  const { anyOf, oneOf, ...own } = schema;
  const [first = {}] = resolved;
  if (resolved.length === 1) return { ...first, ...own };
  if (resolved.every(({ properties }) => properties)) return { ...mergeObjects(resolved), ...own };
  return resolved.every(({ type }) => type === first.type) ? { type: first.type ?? 'string', ...own } : own;
}

/** One object with the fields of all; required are those that every alternative requires. */
function mergeObjects(objects: readonly Schema[]): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, schema] of objects.flatMap((object) => Object.entries(object.properties ?? {}))) {
    const present = properties[name];
    properties[name] = present ? mergeChoices(present, schema) : schema;
  }
  const required = Object.keys(properties).filter((name) => objects.every((object) => object.required?.includes(name)));
  return { type: 'object', properties, required };
}

/** A field that distinguishes the alternatives, such as `type`, has the values of all. */
function mergeChoices(one: Schema, other: Schema): Schema {
  const choices = [one, other].flatMap((schema) => schema.enum ?? (schema.const === undefined ? [] : [schema.const]));
  const { const: _, ...rest } = one;
  return choices.length === 0 ? one : { ...rest, enum: [...new Set(choices)] };
}

/** Whether null is a value of the schema. */
export function isNullable({ components }: Pick<ApiDocument, 'components'>, schema: Schema): boolean {
  if (schema.$ref) return isNullable({ components }, components.schemas[schema.$ref.slice(schemaPrefix.length)] ?? {});
  if (schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null'))) return true;
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some((each) => isNullable({ components }, each));
}
