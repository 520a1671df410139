// Adds a command per operation of the API: `affiliates list`, `payouts dispatch`. Everything about them follows from
// openapi.json.
import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { readDocument } from './document.ts';
import type { Field } from './field.ts';
import { listNouns, listOperations, type Operation, summarizeNouns } from './operation.ts';
import { parseValue } from './parse-value.ts';
import { toPlaceholder } from './request.ts';
import { type RunOptions, runOperation } from './run.ts';

/** Adds the commands of a noun. Returns false if the API has no such noun. */
export function addNoun(cli: Command, noun: string, terminal: Terminal): boolean {
  const document = readDocument();
  if (!listNouns(document).includes(noun)) return false;
  const operations = listOperations(document, noun);
  const meaning = document.tags.find(({ name }) => name === operations[0]?.tag)?.description ?? '';
  const command = cli.command(noun).description(meaning);
  for (const operation of operations) addOperation(command, operation, { terminal, isDefault: isDefault(operations, operation) });
  return true;
}

/** Adds all nouns as the list of commands shows them, without their operations. */
export function addNounSummaries(cli: Command): void {
  const document = readDocument();
  const nouns = summarizeNouns(document);
  for (const { name } of document['x-tagGroups']) {
    cli.commandsGroup(`${name} (API):`);
    for (const { noun, verbs } of nouns.filter(({ section }) => section === name)) cli.command(noun).description(verbs.join(', '));
  }
}

/** `tributary me`: the noun has one operation, which needs no arguments. */
function isDefault(operations: readonly Operation[], { slots, isWrite }: Operation): boolean {
  return operations.length === 1 && slots.length === 0 && !isWrite;
}

function addOperation(noun: Command, operation: Operation, { terminal, isDefault }: { terminal: Terminal; isDefault: boolean }): void {
  const command = noun
    .command(operation.verb, { isDefault })
    .summary(operation.summary)
    .description(toPlainText(operation))
    .configureHelp({ showGlobalOptions: false });
  if (operation.alias) command.alias(operation.alias);
  for (const { name, description } of operation.slots) command.argument(`<${toPlaceholder(name)}>`, description);
  const fields = addFields(command, operation);
  addRequestOptions(command, operation);
  addOutputOptions(command, operation);
  addConnectionOptions(command);
  command.action((...args: unknown[]) => {
    const options = command.opts<RunOptions>();
    const slots = args.slice(0, operation.slots.length).map(String);
    const given = new Map(
      [...fields].flatMap(([attribute, field]) => (attribute in options ? [[field, command.getOptionValue(attribute)]] : [])),
    );
    return runOperation({ operation, slots, given }, options, terminal);
  });
}

/** The fields of the query and the body, by the attribute that holds their value. */
function addFields(command: Command, { query, body, hasBody, method }: Operation): Map<string, Field> {
  const fields = new Map<string, Field>();
  const add = (field: Field): void => {
    const option = toOption(field);
    command.addOption(option);
    if (field.kind === 'boolean') command.addOption(new Option(`--no-${field.flag}`).hideHelp());
    fields.set(option.attributeName(), field);
  };
  if (query.length > 0) command.optionsGroup(method === 'GET' ? 'Filters:' : 'Query:');
  query.forEach(add);
  if (hasBody) command.optionsGroup('Fields:');
  body.forEach(add);
  return fields;
}

function toOption(field: Field): Option {
  const { flag, kind, placeholder, choices, description, isRequired } = field;
  const notes = [choices.length > 0 ? `One of: ${choices.join(', ')}.` : '', isRequired ? '(required)' : ''];
  const text = [toPlain(description), ...notes].filter(Boolean).join(' ');
  if (kind === 'boolean') return new Option(`--${flag}`, `${text} --no-${flag} for false.`.trim());
  const option = new Option(`--${flag} <${placeholder}>`, text);
  option.argParser((value: string, previous: unknown) => parseValue(field, value, previous));
  // Completion offers them; the parser above checks them, one by one in a list.
  if (choices.length > 0) option.argChoices = [...choices];
  return option;
}

function addRequestOptions(command: Command, { hasBody, isWrite, isOpen, effect, acceptsIdempotencyKey }: Operation): void {
  if (isWrite || isOpen) command.optionsGroup('Request:');
  if (hasBody) command.option('--data <json>', 'The body as JSON, @FILE, or - for standard input; options for fields replace its fields');
  if (isWrite) command.option('--dry-run', 'Show what would be sent, and what would happen where the API can tell; change nothing');
  if (effect) command.option('-y, --yes', 'Do not ask for confirmation');
  if (acceptsIdempotencyKey)
    command.option('--idempotency-key <text>', 'Repeating the command with the same key returns the first response (default: a new one)');
  if (isOpen) command.option('--header <header>', 'A further header, such as "Name: value"; can be repeated', collect);
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

function addOutputOptions(command: Command, { paging }: Operation): void {
  command.optionsGroup('Output:');
  command.option('--json', 'Print JSON, as the API returns it (default: if standard output is not a terminal)');
  if (paging) {
    command.option('--all', 'Follow all pages');
    command.option('--columns <names>', 'The columns of the table, such as id,status', (text: string) => text.split(','));
  }
  command.option('-o, --output <file>', 'Write the response into a file');
}

export function addConnectionOptions(command: Command): void {
  command.optionsGroup('Connection:');
  command.option('--url <url>', 'The installation (default: TRIBUTARY_URL, the profile in use, or this machine)');
  command.option('--key <key>', 'The API key (default: TRIBUTARY_API_KEY, or that of the profile)');
  command.option('--profile <name>', 'A profile of `tributary profiles list`');
}

function toPlainText({ summary, description, method, path }: Operation): string {
  // What members must have proved doesn't concern API keys.
  const paragraphs = description.split('\n\n').filter((paragraph) => !paragraph.startsWith('Users must '));
  return [`${summary}.`, ...paragraphs.map(toPlain), `${method} ${path}`].join('\n\n');
}

/** Without the marks of Markdown. */
function toPlain(markdown: string): string {
  return markdown.replaceAll('`', '').replace(/\*\*(.*?)\*\*/g, '$1');
}
