// Forms of statements that Citus rejects although they name their program. Each was found by running it on a cluster.
import { isWord, type Token } from './tokens.ts';

export type RejectedForm =
  | 'a function that depends on settings, of columns, in SET'
  | 'a function that depends on settings in RETURNING'
  | 'a subscript in SET'
  | 'a query in an insert of values'
  | 'a parameter in ON CONFLICT of a query';

/** Functions that PostgreSQL marks as STABLE. */
const stable = [
  ...['concat', 'concat_ws', 'format', 'to_char', 'date_trunc', 'array_to_string', 'convert_to', 'now', 'to_json', 'to_jsonb'],
  ...['json_build_object', 'jsonb_build_object', 'json_build_array', 'jsonb_build_array', 'row_to_json'],
];

/** The rejected forms in `update … set … returning` and `delete … returning`. */
export function findInUpdate(tokens: readonly Token[]): RejectedForm[] {
  const set = clause(tokens, 'set', ['from', 'where', 'returning']);
  const forms: RejectedForm[] = [];
  if (calls(set, { ofColumns: true })) forms.push('a function that depends on settings, of columns, in SET');
  if (hasSubscript(set)) forms.push('a subscript in SET');
  return [...forms, ...findInReturning(tokens)];
}

type Insert = { source: readonly Token[]; conflict: readonly Token[]; returning: readonly Token[] };

/** The rejected forms in an insert: `source` are its values or its query. */
export function findInInsert({ source, conflict, returning }: Insert): RejectedForm[] {
  const isValues = isWord(source[0], 'values');
  const forms: RejectedForm[] = [];
  if (isValues && (hasQuery(source) || hasQuery(conflict))) forms.push('a query in an insert of values');
  if (!isValues && hasParameter(conflict)) forms.push('a parameter in ON CONFLICT of a query');
  return [...forms, ...findInReturning(returning)];
}

function findInReturning(tokens: readonly Token[]): RejectedForm[] {
  return calls(clause(tokens, 'returning', []), { ofColumns: false }) ? ['a function that depends on settings in RETURNING'] : [];
}

/** What follows the keyword, up to the next of `ends`. */
function clause(tokens: readonly Token[], keyword: string, ends: readonly string[]): readonly Token[] {
  const start = tokens.findIndex((token) => isWord(token, keyword));
  if (start === -1) return [];
  const end = tokens.findIndex((token, index) => index > start && isWord(token, ...ends));
  return tokens.slice(start + 1, end === -1 ? undefined : end);
}

const isQuery = (token: Token): boolean => token.kind === 'group' && isWord(token.tokens[0], 'select', 'with');

/** Whether one of the functions is called, outside of subqueries. */
function calls(tokens: readonly Token[], { ofColumns }: { ofColumns: boolean }): boolean {
  return tokens.some((token, index) => {
    if (token.kind !== 'group' || isQuery(token)) return false;
    if (isWord(tokens[index - 1], ...stable) && (!ofColumns || hasColumn(token.tokens))) return true;
    return calls(token.tokens, { ofColumns });
  });
}

/** Whether a name occurs that is not the type of a cast. */
function hasColumn(tokens: readonly Token[]): boolean {
  return tokens.some((token, index) => {
    if (token.kind === 'group') return hasColumn(token.tokens);
    return (token.kind === 'word' || token.kind === 'name') && tokens[index - 1]?.text !== '::' && tokens[index + 1]?.kind !== 'group';
  });
}

function hasSubscript(tokens: readonly Token[]): boolean {
  return tokens.some((token, index) => {
    if (token.kind !== 'group' || isQuery(token)) return false;
    const before = tokens[index - 1];
    const isConstructor = isWord(before, 'array') || before?.text === '::' || isWord(tokens[index - 2], 'array');
    // The brackets of `$1::text[]` are empty.
    if (token.isBracket && !isConstructor && token.tokens.length > 0) return true;
    return hasSubscript(token.tokens);
  });
}

const hasQuery = (tokens: readonly Token[]): boolean =>
  tokens.some((token) => token.kind === 'group' && (isQuery(token) || hasQuery(token.tokens)));

const hasParameter = (tokens: readonly Token[]): boolean =>
  tokens.some((token) => token.kind === 'parameter' || (token.kind === 'group' && hasParameter(token.tokens)));
