// What the client has to know about each operation, read from openapi.json by rules.

type Schema = { $ref?: string; type?: string; enum?: string[]; default?: string; properties?: Record<string, Schema>; items?: Schema };
type Content = Record<string, { schema: Schema }>;
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
export type DocumentedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  'x-required-scope': string;
  'x-idempotent-by'?: string;
};
export type SdkDocument = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Schema>; responses?: object };
};

/** Whether an operation may be sent twice: on its own, with an Idempotency-Key, or not. */
type Repeat = 'safe' | 'key' | 'never';

export type SdkOperation = {
  id: string;
  method: string;
  path: string;
  operation: DocumentedOperation;
  /** The names in the path, without the program's id, which the client fills in. */
  pathNames: string[];
  /** What the method takes after the values of the path. */
  input: 'body' | 'query' | null;
  isInputRequired: boolean;
  /** Whether there is a query besides a body. */
  hasQueryOption: boolean;
  repeat: Repeat;
  /** Whether it can return 409 or 422. */
  hasOutcome: boolean;
  /** The field with the rows of a list. */
  rows: string | null;
  /** The name of the schema of a row, or of the response of an operation that is no list; null for one without a name. */
  schemaName: string | null;
  hasCursor: boolean;
  /** The values of `format` in the query, if it selects the type of the response. */
  formats: { values: string[]; usual: string } | null;
  /** Every response is a file. */
  isFile: boolean;
};

/** The operations that are called with an API key, in the order of the document. */
export function listSdkOperations(document: SdkDocument): SdkOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, operation]) => readOperation(document, method, path, operation)),
  );
}

function readOperation(document: SdkDocument, method: string, path: string, operation: DocumentedOperation): SdkOperation {
  const { operationId: id, parameters = [], requestBody, responses } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const queryNames = query.map(({ name }) => name);
  const isList = method === 'get' && queryNames.includes('limit');
  const format = query.find(({ name }) => name === 'format')?.schema;
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const result = success?.content?.['application/json']?.schema;
  const rows = isList ? findRows(document, id, result) : null;
  const isFile = Object.keys(success?.content ?? {}).length > 1 && !format;
  return {
    id,
    method,
    path,
    operation,
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'programId'),
    input: requestBody ? 'body' : query.length > 0 ? 'query' : null,
    isInputRequired: requestBody?.required ?? query.some(({ required }) => required),
    hasQueryOption: requestBody !== undefined && query.length > 0,
    repeat: repeatOf(method, operation),
    hasOutcome: responses[409] !== undefined || responses[422] !== undefined,
    rows,
    schemaName: nameOf(rows === null ? result : resolve(document, result)?.properties?.[rows]?.items),
    hasCursor: queryNames.includes('cursor'),
    formats: format?.enum && format.default ? { values: format.enum, usual: format.default } : null,
    isFile,
  };
}

function repeatOf(method: string, operation: DocumentedOperation): Repeat {
  if (operation['x-idempotent-by'] || operation['x-required-scope'] === 'read') return 'safe';
  if (operation.parameters?.some(({ name }) => name === 'Idempotency-Key')) return 'key';
  return ['get', 'put', 'delete'].includes(method) ? 'safe' : 'never';
}

function nameOf(schema: Schema | undefined): string | null {
  return schema?.$ref?.split('/').at(-1) ?? null;
}

function resolve({ components }: SdkDocument, schema: Schema | undefined): Schema | undefined {
  return components.schemas[nameOf(schema) ?? ''] ?? schema;
}

/** The only array of a page. */
function findRows(document: SdkDocument, id: string, given: Schema | undefined): string {
  const properties = Object.entries(resolve(document, given)?.properties ?? {});
  const arrays = properties.filter(([, property]) => resolve(document, property)?.type === 'array');
  const [[name] = []] = arrays;
  if (arrays.length !== 1 || name === undefined) throw new Error(`${id} returns ${arrays.length} arrays, not one.`);
  return name;
}
