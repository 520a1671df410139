// JSON schemas of zod schemas. `meta({ json })` sets the JSON schema of a value with a transform.
import { z } from 'zod';

export type Json = { [key: string]: unknown };

/** The example that a schema declares with `meta({ example })`. */
export function exampleOf(schema: z.ZodType): unknown {
  return (z.globalRegistry.get(schema) as { example?: unknown } | undefined)?.example;
}

/** Converts a zod schema to a JSON schema. Schemas with an id are added to `schemas` and referenced. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const { $schema, $defs, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const replacement = (z.globalRegistry.get(zodSchema) as { json?: Json } | undefined)?.json;
      if (!replacement) return;
      const description = jsonSchema.description;
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
      Object.assign(jsonSchema, replacement);
      if (description !== undefined) jsonSchema.description = description;
    },
  }) as Json;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) schemas[name] = withReferences(definition);
  return withReferences(json) as Json;
}

/** Converts references to components of the document, and removes fields that only zod uses. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  const { example, ...rest } = value as Json;
  const entries = Object.entries(rest).filter(([key, item]) => !(key === 'id' && typeof item === 'string') && key !== 'json');
  const mapped = entries.map(([key, item]) => [
    key,
    key === '$ref' ? String(item).replace('#/$defs/', '#/components/schemas/') : withReferences(item),
  ]);
  return Object.fromEntries(example === undefined ? mapped : [...mapped, ['example', example]]);
}
