// The arguments of a tool: the parameters of its operation and the fields of its body, in one object, as a JSON Schema.
import type { ApiDocument, OperationObject, Schema } from '../api/document.ts';
import { resolveSchema, schemaPrefix } from '../api/document.ts';
import type { Operation } from '../api/operation.ts';

export type InputSchema = { type: 'object'; properties: Record<string, object>; required: string[]; $defs: Record<string, object> };

/** The API asks for fewer rows when a caller doesn't say how many: what a model reads has a price. */
export const defaultRows = 20;

/** Shapes that are used by name, such as those of other shapes, become `$defs`. */
export function toInputSchema(document: ApiDocument, operation: Operation): InputSchema {
  const declared = findDeclaration(document, operation);
  const parameters = (declared.parameters ?? []).filter(({ in: place, name }) => place !== 'header' && name !== 'programId');
  const body = declared.requestBody?.content['application/json']?.schema;
  const fields = body ? resolveSchema(document, body) : {};
  const properties: Record<string, Schema> = {};
  for (const { name, schema, description } of parameters) properties[name] = withDescription(schema, description);
  for (const [name, schema] of Object.entries(fields.properties ?? {})) if (name !== 'dryRun') properties[name] = schema;
  if (operation.paging && properties.limit)
    properties.limit = withDescription(properties.limit, `Rows of the page. Default: ${defaultRows}.`);
  const required = [...parameters.filter((each) => each.required).map(({ name }) => name), ...(fields.required ?? [])];
  const own = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toLocal(schema)]));
  return { type: 'object', properties: own, required, $defs: collectDefinitions(document, properties) };
}

export function findDeclaration({ paths }: Pick<ApiDocument, 'paths'>, { path, method }: Operation): OperationObject {
  const declared = paths[path]?.[method.toLowerCase()];
  if (!declared) throw new Error(`The API document lacks ${method} ${path}.`);
  return declared;
}

function withDescription(schema: Schema, description: string | undefined): Schema {
  return description ? { ...schema, description } : schema;
}

/** The shapes that these shapes refer to, and those that they refer to. */
function collectDefinitions({ components }: Pick<ApiDocument, 'components'>, properties: Record<string, Schema>): Record<string, object> {
  const found: Record<string, object> = {};
  const waiting: unknown[] = Object.values(properties);
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    for (const name of namesIn(value)) {
      const schema = components.schemas[name];
      if (!schema || name in found) continue;
      found[name] = toLocal(schema);
      waiting.push(schema);
    }
  }
  return found;
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
}

/** References of the API document are not those of a tool. Examples are left out: they are as long as the schema. */
function toLocal(schema: Schema): object {
  return JSON.parse(JSON.stringify(schema).replaceAll(schemaPrefix, '#/$defs/'), (key, value) =>
    key === 'example' || key === 'examples' ? undefined : value,
  ) as object;
}
