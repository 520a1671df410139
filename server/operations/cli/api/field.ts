// A parameter or a field of a request body, as an option of the command line.
import { type ApiDocument, isNullable, resolveSchema, type Schema } from './document.ts';

/** `json`: an object or a list of objects, given as JSON. */
export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json';

export type Field = {
  /** As the API names it: `orderId`. */
  name: string;
  /** As the command line names it: `order-id`. */
  flag: string;
  kind: FieldKind;
  choices: readonly string[];
  isNullable: boolean;
  isRequired: boolean;
  /** What the value looks like in the help: `time`, `id`, `n`. */
  placeholder: string;
  description: string;
};

/** Options that every command has; a field with such a name gets the noun in front: `--webhook-url`. */
const reservedFlags = ['url', 'key', 'profile', 'json', 'data', 'all', 'output', 'columns', 'yes', 'header', 'help', 'idempotency-key'];

type Named = { name: string; schema: Schema; isRequired: boolean; description?: string | undefined };

export function toField(document: ApiDocument, noun: string, { name, schema, isRequired, description }: Named): Field {
  const resolved = resolveSchema(document, schema);
  const kind = kindOf(document, resolved);
  const values = kind === 'list' ? resolveSchema(document, resolved.items ?? {}) : resolved;
  const flag = toKebab(name);
  return {
    name,
    flag: reservedFlags.includes(flag) ? `${toSingular(noun)}-${flag}` : flag,
    kind,
    choices: (values.enum ?? (values.const === undefined ? [] : [values.const])).filter((value) => value !== null).map(String),
    isNullable: isNullable(document, schema),
    isRequired,
    placeholder: placeholderOf(kind, values, name),
    description: describe(description ?? schema.description ?? resolved.description ?? '', resolved),
  };
}

/** `createdFrom` → `created-from` */
export function toKebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}

/** `payout-batches` → `payout-batch`, `coupons` → `coupon` */
export function toSingular(noun: string): string {
  return noun
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x)es$/, '$1')
    .replace(/(?<!s)s$/, '');
}

function kindOf(document: ApiDocument, { type, items }: Schema): FieldKind {
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [type];
  const [only] = types;
  if (types.length !== 1) return 'json';
  if (only === 'string') return 'text';
  if (only === 'integer' || only === 'number' || only === 'boolean') return only;
  if (only !== 'array' || !items) return 'json';
  return kindOf(document, resolveSchema(document, items)) === 'text' ? 'list' : 'json';
}

function placeholderOf(kind: FieldKind, { format, pattern }: Schema & { pattern?: string }, name: string): string {
  if (kind === 'json') return 'json';
  if (kind === 'integer' || kind === 'number') return name.endsWith('Cents') ? 'cents' : 'number';
  const byFormat: Record<string, string> = { uuid: 'id', 'date-time': 'time', date: 'day', email: 'email', uri: 'url' };
  const word = byFormat[format ?? ''] ?? (pattern?.includes('{4}-') ? 'day' : 'text');
  return kind === 'list' ? `${word},…` : word;
}

function describe(description: string, schema: Schema): string {
  const value = schema.default;
  const isShown = ['string', 'number'].includes(typeof value) && value !== '';
  return isShown ? `${description} Default: ${value}.`.trim() : description;
}
