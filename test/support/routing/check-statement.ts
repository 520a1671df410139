// Checks that a statement can be routed to the one node that stores its program: every reference to a tenant table is
// compared with a parameter, including in laterals, subqueries and left joins (decision 155). It understands the SQL that
// this service writes, not all of SQL.
import { findInInsert, findInUpdate, type RejectedForm } from './rejected-forms.ts';
import { isWord, parseTokens, splitTokens, type Token, toName } from './tokens.ts';

export type Finding = {
  kind:
    | 'not compared'
    | 'insert in a CTE'
    | 'several programs'
    | 'selects a parameter'
    | 'writes a parameter of another form'
    | 'a parameter chooses the index of a conflict'
    | 'locks a shared table'
    | RejectedForm;
  table: string;
};

export type Checked = {
  findings: Finding[];
  /** The numbers of the parameters that the program ids are compared with, or inserted from. */
  parameters: number[];
  /** The number of references to tenant tables. */
  references: number;
};

type Known = { tenantTables: Pick<ReadonlySet<string>, 'has'>; ctes: ReadonlySet<string> };
type Scope = Known & { checked: Checked };
type Reference = { table: string; alias: string };

const column = 'program_id';

/** Checks a statement. `tenantTables` are the tables that are distributed by `program_id`. */
export function checkStatement(statement: string, tenantTables: ReadonlySet<string>): Checked {
  const checked: Checked = { findings: [], parameters: [], references: 0 };
  checkQuery(parseTokens(statement), { tenantTables, checked, ctes: new Set() });
  return checked;
}

/** Whether the values of these parameters are all the same. */
export function isOneProgram({ parameters }: Checked, values: readonly unknown[]): boolean {
  return new Set(parameters.map((number) => values[number - 1])).size <= 1;
}

const isQuery = (token: Token | undefined): boolean => isWord(token, 'select', 'with', 'insert', 'update', 'delete', 'values');
const isSetOperator = (token: Token): boolean => isWord(token, 'union', 'intersect', 'except');

function checkQuery(tokens: readonly Token[], scope: Scope): void {
  if (isWord(tokens[0], 'with')) {
    checkWith(tokens, scope);
    return;
  }
  // `(select …) union (select …)`
  for (const part of splitTokens(tokens, isSetOperator)) {
    const block = isWord(part[0], 'all', 'distinct') ? part.slice(1) : part;
    if (isWord(block[0], 'insert')) checkInsert(block, scope);
    else checkBlock(block, scope);
  }
}

/** `with name as (query), … query` */
function checkWith(tokens: readonly Token[], scope: Scope): void {
  const ctes = new Set(scope.ctes);
  let at = isWord(tokens[1], 'recursive') ? 2 : 1;
  for (;;) {
    const name = toName(tokens[at]);
    if (name === null) throw new Error('A CTE has no name.');
    ctes.add(name);
    while (!isWord(tokens[at], 'as')) at += 1;
    while (tokens[at]?.kind !== 'group') at += 1;
    const body = tokens[at];
    if (body?.kind !== 'group') throw new Error('A CTE has no query.');
    if (isWord(body.tokens[0], 'insert')) scope.checked.findings.push({ kind: 'insert in a CTE', table: toName(body.tokens[2]) ?? '' });
    checkQuery(body.tokens, { ...scope, ctes });
    at += 1;
    if (tokens[at]?.text !== ',') break;
    at += 1;
  }
  checkQuery(tokens.slice(at), { ...scope, ctes });
}

/** Checks the queries in parentheses, at any depth. */
function checkNested(tokens: readonly Token[], scope: Scope): void {
  for (const token of tokens) {
    if (token.kind !== 'group') continue;
    if (isQuery(token.tokens[0])) checkQuery(token.tokens, scope);
    else checkNested(token.tokens, scope);
  }
}

/** `select`, `update`, `delete` or `values`, without CTEs and set operators. */
function checkBlock(tokens: readonly Token[], scope: Scope): void {
  checkNested(tokens, scope);
  const { target, from, where } = toClauses(tokens);
  if (isWord(tokens[0], 'update', 'delete')) {
    const table = toName(target[0]) ?? '';
    scope.checked.findings.push(...findInUpdate(tokens).map((kind) => ({ kind, table })));
  }
  const sources = [readSources(target, scope), readSources(from, scope)];
  const references = sources.flatMap((source) => source.references);
  const conditions = [where, ...sources.flatMap((source) => source.conditions)].flatMap(toConjuncts);
  compare(references, conditions, scope);
  const shared = findLockedTables(tokens, from).filter((table) => !scope.tenantTables.has(table) && !scope.ctes.has(table));
  scope.checked.findings.push(...shared.map((table) => ({ kind: 'locks a shared table' as const, table })));
}

/** The tables whose rows are locked: all of FROM, or those that follow OF. */
function findLockedTables(tokens: readonly Token[], from: readonly Token[]): string[] {
  const at = tokens.findIndex((token, index) => isWord(token, 'for') && isWord(tokens[index + 1], 'update', 'share', 'no', 'key'));
  if (at === -1) return [];
  const of = tokens.findIndex((token, index) => index > at && isWord(token, 'of'));
  const aliases = of === -1 ? null : splitTokens(tokens.slice(of + 1), ({ text }) => text === ',').map(([alias]) => toName(alias));
  const every = { tenantTables: { has: () => true }, ctes: new Set<string>() };
  const { references } = readSources(from, every);
  return references.filter(({ alias }) => aliases === null || aliases.includes(alias)).map(({ table }) => table);
}

function compare(references: readonly Reference[], conditions: readonly Token[][], { checked }: Scope): void {
  checked.references += references.length;
  const compared = conditions.flatMap((condition) => toComparison(condition) ?? []);
  for (const { table, alias } of references) {
    const own = compared.filter((comparison) => comparison.alias === alias || (comparison.alias === null && references.length === 1));
    if (own.length === 0) checked.findings.push({ kind: 'not compared', table });
    checked.parameters.push(...own.map(({ parameter }) => parameter));
  }
}

type Clauses = { target: Token[]; from: Token[]; where: Token[] };

const ends = ['group', 'having', 'order', 'limit', 'offset', 'for', 'returning', 'window', 'fetch'];

/** The table that is written, the tables that are read, and the condition. */
function toClauses(tokens: readonly Token[]): Clauses {
  const clauses: Clauses = { target: [], from: [], where: [] };
  let clause: Token[] | null = isWord(tokens[0], 'update') ? clauses.target : null;
  for (const [index, token] of tokens.entries()) {
    // `is distinct from` compares; `delete from` names what is deleted.
    if (isWord(token, 'from', 'using') && isStart(tokens, index, clause)) {
      clause = index === 1 && isWord(tokens[0], 'delete') ? clauses.target : clauses.from;
    } else if (isWord(token, 'where')) clause = clauses.where;
    else if (isWord(token, 'set') || isWord(token, ...ends)) clause = null;
    else if (index > 0) clause?.push(token);
  }
  return clauses;
}

function isStart(tokens: readonly Token[], index: number, clause: Token[] | null): boolean {
  const before = tokens[index - 1];
  const isComparison = isWord(before, 'distinct') && isWord(tokens[index - 2], 'is', 'not');
  if (isWord(tokens[index], 'from')) return !isComparison;
  return isWord(tokens[0], 'delete') && clause !== null && tokens[index + 1]?.kind !== 'group';
}

type Sources = { references: Reference[]; conditions: Token[][] };

const joinWords = ['join', 'left', 'right', 'inner', 'full', 'cross', 'natural'];

/** The tenant tables of a FROM clause, and the conditions of its joins. */
function readSources(tokens: readonly Token[], scope: Known): Sources {
  const sources: Sources = { references: [], conditions: [] };
  const isJoin = (token: Token, index: number) =>
    isWord(token, 'join', 'inner', 'cross', 'natural') ||
    (isWord(token, 'left', 'right', 'full') && isWord(tokens[index + 1], 'join', 'outer')) ||
    isWord(token, 'outer');
  for (const item of splitTokens(tokens, (token, index) => token.text === ',' || isJoin(token, index))) {
    const on = item.findIndex((token) => isWord(token, 'on'));
    const source = item.slice(0, on === -1 ? undefined : on).filter((token) => !isWord(token, 'lateral', 'only'));
    if (on !== -1) sources.conditions.push(item.slice(on + 1));
    const [first] = source;
    if (first?.kind === 'group' && !isQuery(first.tokens[0])) {
      const nested = readSources(first.tokens, scope);
      sources.references.push(...nested.references);
      sources.conditions.push(...nested.conditions);
      continue;
    }
    const reference = toReference(source, scope);
    if (reference) sources.references.push(reference);
  }
  return sources;
}

/** `table alias` or `table as alias`, if it is a tenant table and neither a CTE nor a function. */
function toReference(source: readonly Token[], { tenantTables, ctes }: Known): Reference | null {
  const isQualified = source[1]?.text === '.';
  const [table, ...rest] = isQualified ? source.slice(2) : source;
  const name = toName(table);
  if (name === null || rest[0]?.kind === 'group' || (!isQualified && ctes.has(name)) || !tenantTables.has(name)) return null;
  const alias = toName(rest.find((token) => !isWord(token, 'as')));
  return { table: name, alias: alias !== null && !joinWords.includes(alias) && alias !== 'using' ? alias : name };
}

/** The parts of a condition that must all be true. */
function toConjuncts(condition: readonly Token[]): Token[][] {
  if (condition.some((token) => isWord(token, 'or'))) return [];
  return splitTokens(condition, (token) => isWord(token, 'and')).flatMap((part) => {
    const [only, ...rest] = part;
    return only?.kind === 'group' && rest.length === 0 && !isQuery(only.tokens[0]) ? toConjuncts(only.tokens) : [part];
  });
}

/** `alias.program_id = $1`, either way round, with or without a cast. */
function toComparison(condition: readonly Token[]): { alias: string | null; parameter: number } | null {
  const [left = [], right = [], ...more] = splitTokens(condition, ({ text }) => text === '=').map(withoutCast);
  if (more.length > 0) return null;
  const parameter = [left, right].find((side) => side.length === 1 && side[0]?.kind === 'parameter')?.[0];
  const compared = [left, right].find((side) => toName(side.at(-1)) === column);
  if (!parameter || !compared || ![1, 3].includes(compared.length)) return null;
  return { alias: compared.length === 3 ? toName(compared[0]) : null, parameter: Number(parameter.text) };
}

function withoutCast(tokens: readonly Token[]): Token[] {
  const [only, ...rest] = tokens;
  if (only?.kind === 'group' && rest.length === 0) return withoutCast(only.tokens);
  const cast = tokens.findIndex(({ text }) => text === '::');
  return cast === -1 ? [...tokens] : tokens.slice(0, cast);
}

/** `insert into table (columns) values … | select …` */
function checkInsert(tokens: readonly Token[], scope: Scope): void {
  const table = toName(tokens[2]) ?? '';
  const at = tokens.findIndex((token) => isWord(token, 'values', 'select', 'with') || (token.kind === 'group' && isQuery(token.tokens[0])));
  const conflict = tokens.findIndex((token, index) => isWord(token, 'on') && isWord(tokens[index + 1], 'conflict'));
  const returning = tokens.findIndex((token) => isWord(token, 'returning'));
  const end = [conflict, returning].find((index) => index !== -1) ?? tokens.length;
  if (at === -1) return;
  const source = tokens.slice(at, end);
  checkNested(tokens.slice(end), scope);
  const parts = {
    source: source[0]?.kind === 'group' ? source[0].tokens : source,
    conflict: conflict === -1 ? [] : tokens.slice(conflict, returning === -1 ? undefined : returning),
    returning: returning === -1 ? [] : tokens.slice(returning),
  };
  scope.checked.findings.push(...findInInsert(parts).map((kind) => ({ kind, table })));
  if (conflict !== -1 && choosesIndexByParameter(tokens.slice(conflict)))
    scope.checked.findings.push({ kind: 'a parameter chooses the index of a conflict', table });
  const before = scope.checked.references;
  if (!isWord(source[0], 'values')) checkQuery(source[0]?.kind === 'group' ? source[0].tokens : source, scope);
  else checkNested(source, scope);
  const readsTenantTable = scope.checked.references > before || scope.ctes.size > 0;
  if (!scope.tenantTables.has(table)) return;
  scope.checked.references += 1;
  const columns = tokens.slice(3, at).find((token) => token.kind === 'group');
  const names = columns?.kind === 'group' ? splitTokens(columns.tokens, ({ text }) => text === ',').map((part) => toName(part[0])) : [];
  const position = names.indexOf(column);
  if (position === -1) throw new Error(`An insert into ${table} does not list ${column}.`);
  checkInserted(source, { table, position, readsTenantTable }, scope);
}

/** `on conflict (columns) where status = $1 do …`: a generic plan doesn't know the value, so it finds no partial index. */
function choosesIndexByParameter(tokens: readonly Token[]): boolean {
  const predicate = tokens.slice(
    0,
    tokens.findIndex((token) => isWord(token, 'do')),
  );
  return predicate.some(({ kind }) => kind === 'parameter');
}

type Target = {
  table: string;
  /** Of `program_id` among the columns. */
  position: number;
  readsTenantTable: boolean;
};

/** The program of inserted rows: the same parameter in each row of `values`, or a column of a query. */
function checkInserted(source: readonly Token[], { table, position, readsTenantTable }: Target, { checked }: Scope): void {
  const [first] = source;
  const tokens = first?.kind === 'group' && isQuery(first.tokens[0]) ? first.tokens : source;
  if (isWord(tokens[0], 'values')) {
    for (const row of tokens) {
      if (row.kind !== 'group') continue;
      const value = withoutCast(splitTokens(row.tokens, ({ text }) => text === ',')[position] ?? []);
      if (value.length === 1 && value[0]?.kind === 'parameter') checked.parameters.push(Number(value[0].text));
      else checked.findings.push({ kind: 'writes a parameter of another form', table });
    }
    return;
  }
  for (const part of splitTokens(tokens, isSetOperator)) {
    const select = part.findIndex((token) => isWord(token, 'select'));
    const from = part.findIndex((token, index) => index > select && isWord(token, 'from'));
    const list = part.slice(select + 1, from === -1 ? undefined : from).filter((token) => !isWord(token, 'distinct'));
    const selected = withoutCast(splitTokens(list, ({ text }) => text === ',')[position] ?? [])[0];
    if (selected?.kind !== 'parameter') continue;
    // Rows that the statement itself contains are sent to the node that stores the program, whatever the column.
    if (readsTenantTable) checked.findings.push({ kind: 'selects a parameter', table });
    else checked.parameters.push(Number(selected.text));
  }
}
