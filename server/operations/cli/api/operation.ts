// The operations of the API as commands: `payoutBatches.markPaid` is `payout-batches mark-paid`.
import { type ApiDocument, type OperationObject, resolveSchema, type Schema } from './document.ts';
import { type Field, toField, toKebab } from './field.ts';

/** How the pages of a list are followed, and the field of the response that holds its rows. */
export type Paging = { by: 'cursor' | 'offset'; rows: string };

export type Operation = {
  id: string;
  noun: string;
  verb: string;
  /** `create`, for an operation that adds to a list under another name, such as `affiliates invite`. */
  alias: string | null;
  method: string;
  path: string;
  tag: string;
  section: string;
  summary: string;
  description: string;
  /** The parameters in the path, other than the id of the program, which the API key determines. */
  slots: readonly { name: string; description: string }[];
  hasProgram: boolean;
  query: readonly Field[];
  hasBody: boolean;
  body: readonly Field[];
  /** An API key isn't required. */
  isOpen: boolean;
  isWrite: boolean;
  /** What a person confirms before it is sent. */
  effect: 'pays' | 'deletes' | null;
  /** The API can say what would happen. */
  canPreview: boolean;
  acceptsIdempotencyKey: boolean;
  paging: Paging | null;
  /** The JSON response; null without one. */
  result: Schema | null;
};

/** The operations of a noun, or all. */
export function listOperations(document: ApiDocument, noun?: string): readonly Operation[] {
  const declared = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Declared => ({ path, method: method.toUpperCase(), operation })),
  );
  const wanted = noun === undefined ? declared : declared.filter(({ operation }) => nounOf(operation) === noun);
  return wanted.map((each) => toOperation(document, each));
}

/** The verbs of each noun by the section of its first operation, for the list of commands. */
export function summarizeNouns(document: ApiDocument): { section: string; noun: string; verbs: string[] }[] {
  const declared = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return [...Map.groupBy(declared, nounOf)].map(([noun, operations]) => ({
    section: sectionOf(document, operations[0]?.tags[0] ?? ''),
    noun,
    verbs: operations.map(({ operationId }) => toKebab(operationId.split('.')[1] ?? '')),
  }));
}

function sectionOf(document: ApiDocument, tag: string): string {
  return document['x-tagGroups'].find(({ tags }) => tags.includes(tag))?.name ?? tag;
}

/** The nouns of the API, in the order of the document. */
export function listNouns({ paths }: Pick<ApiDocument, 'paths'>): readonly string[] {
  return [...new Set(Object.values(paths).flatMap((methods) => Object.values(methods).map(nounOf)))];
}

function nounOf({ operationId }: Pick<OperationObject, 'operationId'>): string {
  return toKebab(operationId.split('.')[0] ?? '');
}

type Declared = { path: string; method: string; operation: OperationObject };

function toOperation(document: ApiDocument, { path, method, operation }: Declared): Operation {
  const [noun = '', verb = ''] = operation.operationId.split('.').map(toKebab);
  const parameters = operation.parameters ?? [];
  const tag = operation.tags[0];
  const body = toBodyFields(document, noun, operation);
  const result = findResult(document, operation);
  const query = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, schema, required, description }) =>
      toField(document, noun, { name, schema, isRequired: required ?? false, description }),
    );
  return {
    id: operation.operationId,
    noun,
    verb,
    alias: aliasOf(document, { path, method, operation }),
    method,
    path,
    tag,
    section: sectionOf(document, tag),
    summary: operation.summary,
    description: operation.description,
    slots: parameters
      .filter((each) => each.in === 'path' && each.name !== 'programId')
      .map(({ name, description = '' }) => ({ name, description })),
    hasProgram: path.includes('{programId}'),
    query,
    hasBody: operation.requestBody !== undefined,
    body: body.filter(({ name }) => name !== 'dryRun'),
    isOpen: operation['x-required-scope'] === 'open',
    isWrite: method !== 'GET',
    effect: operation['x-moves-money'] ? 'pays' : method === 'DELETE' ? 'deletes' : null,
    canPreview: body.some(({ name }) => name === 'dryRun'),
    acceptsIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    paging: findPaging(document, query, result),
    result,
  };
}

/** `create`, where something is added to the list at the same path, and `create` has no other meaning. */
function aliasOf({ paths }: ApiDocument, { path, method, operation }: Declared): string | null {
  const [noun = '', verb = ''] = operation.operationId.split('.');
  const isAdded = method === 'POST' && paths[path]?.get?.operationId === `${noun}.list`;
  return isAdded && verb !== 'create' ? 'create' : null;
}

function toBodyFields(document: ApiDocument, noun: string, { requestBody }: OperationObject): Field[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return [];
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  return Object.entries(properties).map(([name, each]) =>
    toField(document, noun, { name, schema: each, isRequired: required.includes(name) }),
  );
}

function findResult(document: ApiDocument, { responses }: OperationObject): Schema | null {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const schema = success?.[1].content?.['application/json']?.schema;
  return schema ? resolveSchema(document, schema) : null;
}

function findPaging(document: ApiDocument, query: readonly Field[], result: Schema | null): Paging | null {
  const by = (['cursor', 'offset'] as const).find((name) => query.some((field) => field.name === name));
  const rows = Object.entries(result?.properties ?? {}).find(([, schema]) => resolveSchema(document, schema).type === 'array');
  return by && rows ? { by, rows: rows[0] } : null;
}
