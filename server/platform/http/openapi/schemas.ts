// JSON schemas of zod schemas. `meta({ json })` sets the JSON schema of a value with a transform, and `documentedAs` takes
// it from another schema. `x-logged` marks texts that the request log shows.
import { z } from 'zod';

export type Json = { [key: string]: unknown };

type Annotations = { example?: unknown; json?: Json; documentedAs?: z.ZodType; isLogged?: boolean };

const annotationsOf = (schema: z.core.$ZodType): Annotations => (z.globalRegistry.get(schema) ?? {}) as Annotations;

/** Validates as `schema`, and is documented as another one with the same values, such as one with a variant per type. */
export function documentedAs<Schema extends z.ZodType>(schema: Schema, documented: z.ZodType): Schema {
  return schema.meta({ documentedAs: documented, example: exampleOf(schema) });
}

/** The example that a schema declares with `meta({ example })`. */
export function exampleOf(schema: z.ZodType): unknown {
  return annotationsOf(schema).example;
}

/** Converts a zod schema to a JSON schema. Schemas with an id are added to `schemas` and referenced. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const { $schema, $defs, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const annotations = annotationsOf(zodSchema);
      const replacement = annotations.documentedAs ? toJsonSchema(annotations.documentedAs, io, schemas) : annotations.json;
      // Fields are added within a version, so responses don't promise that there are no others.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (replacement) {
        const description = jsonSchema.description;
        for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
        Object.assign(jsonSchema, replacement);
        if (description !== undefined) jsonSchema.description = description;
      }
      if (annotations.isLogged) (jsonSchema as Json)['x-logged'] = true;
    },
  }) as Json;
  addReferenced(json, ($defs ?? {}) as Json, schemas);
  return withReferences(json) as Json;
}

/** Adds the definitions that a schema refers to, directly or through others. A schema that was replaced refers to none. */
function addReferenced(schema: unknown, definitions: Json, schemas: Json, seen = new Set<string>()): void {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
    if (seen.has(name)) continue;
    seen.add(name);
    schemas[name] = withReferences(definitions[name]);
    addReferenced(definitions[name], definitions, schemas, seen);
  }
}

/** Converts references to components of the document, and removes fields that only zod uses. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  const { example, ...rest } = value as Json;
  const entries = Object.entries(rest).filter(
    ([key, item]) => !(key === 'id' && typeof item === 'string') && key !== 'json' && key !== 'isLogged',
  );
  const mapped = entries.map(([key, item]) => [
    key,
    key === '$ref' ? String(item).replace('#/$defs/', '#/components/schemas/') : withReferences(item),
  ]);
  return Object.fromEntries(example === undefined ? mapped : [...mapped, ['example', example]]);
}
