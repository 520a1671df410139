// The source text of sdk/resources.gen.ts and sdk/operations.gen.ts. The method of `affiliates.invite` is
// `client.affiliates.invite`; its arguments are the values of the path, then the body or the query, then options.
import { toTypeName } from './generate-types.ts';
import type { SdkDocument, SdkOperation } from './sdk-operations.ts';

/** An interface per noun, `Resources` with all of them, and the union of all webhook events. */
export function interfacesOf({ webhooks }: SdkDocument, operations: readonly SdkOperation[]): string {
  const byNoun = [...Map.groupBy(operations, ({ id }) => nounOf(id))];
  const interfaces = byNoun.map(
    ([noun, members]) => `export interface ${toTypeName(noun)}Resource {\n${members.map(methodOf).join('\n')}}\n\n`,
  );
  const events = Object.values(webhooks).map(({ post }) => post.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1));
  return [
    "import type { List } from './list.ts';\n",
    "import type { Outcome } from './outcome.ts';\n",
    "import type { CallOptions } from './send.ts';\n",
    "import type * as types from './types.gen.ts';\n\n",
    ...interfaces,
    `/** Every operation, by noun. */\nexport interface Resources {\n${byNoun.map(([noun]) => `  ${noun}: ${toTypeName(noun)}Resource;\n`).join('')}}\n\n`,
    `/** The body of a webhook; \`type\` decides the others. */\nexport type WebhookEvent =\n${events.map((name) => `  | types.${name}`).join('\n')};\n\n`,
    '/** An event of the log; `type` decides the others. */\n',
    'export type LoggedEvent = WebhookEvent extends infer Each ? (Each extends WebhookEvent ? Logged<Each> : never) : never;\n\n',
    "type Logged<Each extends WebhookEvent> = Omit<Each, 'timestamp'> & Pick<types.Event, 'createdAt'>;\n",
  ].join('');
}

/** The declaration of a method: one overload per type of its response. */
function methodOf(operation: SdkOperation): string {
  const name = operation.id.slice(nounOf(operation.id).length + 1);
  return signaturesOf(operation)
    .map((signature) => `${documentationOf(operation)}  ${name}${signature};\n`)
    .join('');
}

function signaturesOf(operation: SdkOperation): string[] {
  const { id, input, isInputRequired, formats, isFile } = operation;
  const type = `types.${toTypeName(id)}`;
  const data = `${type}Data['${input}']`;
  if (formats) {
    const signature = (values: readonly string[], result: string) => {
      const mark = isInputRequired || !values.includes(formats.usual);
      const format = `{ format${mark && !values.includes(formats.usual) ? '' : '?'}: ${values.map((value) => `'${value}'`).join(' | ')} }`;
      return `(${argumentsOf(operation, `query${mark ? '' : '?'}: NonNullable<${data}> & ${format}`)}): Promise<${result}>`;
    };
    const files = formats.values.filter((value) => value !== 'json');
    return [signature(['json'], `${type}Response`), signature(files, 'Blob')];
  }
  const argument = input === null ? null : `${input}${isInputRequired ? '' : '?'}: ${isInputRequired ? data : `NonNullable<${data}>`}`;
  return [`(${argumentsOf(operation, argument)}): ${resultOf(operation, type, isFile)}`];
}

function argumentsOf({ pathNames, hasQueryOption, id }: SdkOperation, input: string | null): string {
  const query = hasQueryOption ? ` & { query?: NonNullable<types.${toTypeName(id)}Data['query']> }` : '';
  return [...pathNames.map((name) => `${name}: string`), ...(input === null ? [] : [input]), `options?: CallOptions${query}`].join(', ');
}

function resultOf({ rows, schemaName, hasOutcome }: SdkOperation, type: string, isFile: boolean): string {
  // Of events, `type` decides the type of `data`, as in a webhook.
  const isEvent = schemaName === 'Event';
  if (rows && isEvent) return `List<LoggedEvent, Omit<${type}Response, '${rows}'> & { ${rows}: LoggedEvent[] }>`;
  if (rows) return `List<${type}Response['${rows}'][number], ${type}Response>`;
  if (isEvent) return 'Promise<LoggedEvent>';
  const responses = isFile ? '{ 200: Blob }' : `${type}Responses`;
  if (hasOutcome) return `Promise<Outcome<${responses}, ${type}Errors>>`;
  return `Promise<${isFile ? 'Blob' : `${type}Response`}>`;
}

function documentationOf({ operation: { summary, description } }: SdkOperation): string {
  const lines = [`${summary}.`, '', ...description.replaceAll('*/', '*\\/').split('\n')];
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */\n`;
}

/** The table by which the client sends requests. */
export function operationTable(operations: readonly SdkOperation[]): string {
  const entries = operations.map(({ id, method, path, input, repeat, hasOutcome, rows, hasCursor }) => {
    const optional = [hasOutcome && 'hasOutcome: true', rows && `rows: '${rows}'`, rows && hasCursor && 'hasCursor: true'].filter(Boolean);
    const required = [`method: '${method.toUpperCase()}'`, `path: '${path}'`, `input: ${input && `'${input}'`}`, `repeat: '${repeat}'`];
    return `  '${id}': { ${[...required, ...optional].join(', ')} },\n`;
  });
  return [
    'export type Operation = {\n  method: string;\n  path: string;\n',
    "  /** What the method takes after the values of the path. */\n  input: 'body' | 'query' | null;\n",
    "  /** Whether it may be sent twice: on its own, with an Idempotency-Key, or not. */\n  repeat: 'safe' | 'key' | 'never';\n",
    '  /** Whether it can return 409 or 422. */\n  hasOutcome?: boolean;\n',
    '  /** The field with the rows of a list. */\n  rows?: string;\n  hasCursor?: boolean;\n};\n\n',
    `export const operations: Readonly<Record<string, Operation>> = {\n${entries.join('')}};\n`,
  ].join('');
}

function nounOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}
