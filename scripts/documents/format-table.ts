// The SQL of one table as people would write it, from what PostgreSQL's catalogue says about it.

type Line = { name: string; definition: string };
type Column = Line & { comment: string | null; storage: string | null };
export type Table = {
  name: string;
  comment: string | null;
  /** Storage parameters such as `fillfactor=80`. */
  options: string[];
  columns: Column[];
  constraints: Line[];
  indexes: string[];
};

const maximumWidth = 120;

/** The text of one table: its columns, constraints, comments and indexes. */
export function formatTable({ name, comment, options, columns, constraints, indexes }: Table): string {
  const lines = [
    ...columns.map((column) => wrapLine(`  ${column.name} ${simplify(column.definition)}`)),
    ...constraints.map((constraint) => wrapLine(`  constraint ${constraint.name} ${simplify(constraint.definition)}`)),
  ];
  const storage = options.length === 0 ? '' : ` with (${options.map((option) => option.replace('=', ' = ')).join(', ')})`;
  const parts = [
    `create table ${name} (\n${lines.join(',\n')}\n)${storage};\n`,
    columns
      .map((column) => (column.storage ? `alter table ${name} alter column ${column.name} set storage ${column.storage};\n` : ''))
      .join(''),
    comment ? `comment on table ${name} is\n${wrapComment(comment)};\n` : '',
    ...columns.map((column) => (column.comment ? `comment on column ${name}.${column.name} is\n${wrapComment(column.comment)};\n` : '')),
    indexes.map((index) => `${wrapLine(simplify(index))};\n`).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const keywords =
  /\b(PRIMARY KEY|UNIQUE INDEX|UNIQUE|FOREIGN KEY|REFERENCES|CHECK|CREATE|INDEX|ON DELETE|CASCADE|USING|WHERE|ON|IS NOT NULL|IS NULL|NOT|NULL|AND|OR|ANY|ALL|ARRAY|DESC|INCLUDE|DEFERRABLE|INITIALLY|DEFERRED|CASE|WHEN|THEN|ELSE|END|LEAST|GREATEST)\b/g;

/** A readable definition, without the casts and parentheses that the catalogue adds. */
function simplify(definition: string): string {
  const text = definition
    .replace(/\s+/g, ' ')
    .replace(keywords, (word) => word.toLowerCase())
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replace(/'((?:[^']|'')*)'::(?:text|bigint|numeric|timestamptz|jsonb|uuid)(\[\])?/g, (_, value: string) => `'${value}'`)
    .replace(/'((?:[^']|'')*)'::interval/g, (_, value: string) => `interval '${value}'`)
    .replace(/\('?(\d+)'?\)::(?:numeric|bigint)/g, '$1')
    .replace(/\((\w+)\)::double precision/g, '$1::double precision')
    .replace(/'(\d{6,})'/g, '$1')
    .replace(/\((\w+) >= (\d+)\) and \(\1 <= (\w+)\)/g, '$1 between $2 and $3')
    .replace(/<> all \(array\[(.*?)\]\)/g, 'not in ($1)')
    .replace(/= any \(array\[(.*?)\]\)/g, 'in ($1)')
    .replace(/\( ?case /g, '(case ')
    .replace(/references (\w+)\(/, 'references $1 (')
    .replace(/ on public\./, ' on ')
    .replace(' using btree', '');
  const outer = text.replace(/^(.*?(?:check|where)) \((.*)\)$/, (_, head: string, rest: string) =>
    head.endsWith('check') ? `${head} (${removeParentheses(rest)})` : `${head} ${removeParentheses(`(${rest})`)}`,
  );
  return removeAtomParentheses(outer);
}

/** Removes parentheses around the whole text. */
function removeParentheses(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (const [index, letter] of [...text].entries()) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (depth === 0 && index < text.length - 1) return text;
  }
  return removeParentheses(text.slice(1, -1));
}

/** Removes the parentheses around single comparisons that only `and`, `or` and the parts of a `case` surround. */
function removeAtomParentheses(text: string): string {
  const atom =
    /((?:^| )(?:and|or|where|when|then|else) |check \(|\()\(((?:[^()]|\w ?\([^()]*\))*)\)(?=(?: and| or| when| then| else| end)\b|\)|$)/g;
  const isComparison = (inner: string) => !/ and | or |\bcase\b/.test(inner.replace(/between \w+ and \w+/g, ''));
  const simpler = text.replace(atom, (whole, before: string, inner: string) => (isComparison(inner) ? `${before}${inner}` : whole));
  return simpler === text ? text : removeAtomParentheses(simpler);
}

/** A line of at most `maximumWidth` where possible: a long one continues after what names it, a `case` by its branches. */
function wrapLine(line: string): string {
  if (line.length < maximumWidth) return line;
  const indent = line.startsWith(' ') ? '    ' : '  ';
  if (line.includes('(case ')) {
    return line
      .replace(/\(case/, `(\n${indent}case`)
      .replace(/ (when|else) /g, `\n${indent}  $1 `)
      .replace(/ end\)/, `\n${indent}end\n${indent.slice(2)})`);
  }
  const [head, ...rest] = line.split(/ (?=check \(|references |include \(|where )/);
  return [head, ...rest.flatMap((part) => wrapList(part, indent))].join(`\n${indent}`);
}

/** Long conditions and lists of values continue on the next line, with one more level of indentation. */
function wrapList(text: string, indent: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\) (?:and|or) /.test(text) ? /(?<=\)) (?=and |or )/ : /(?<=,) (?=')/)) {
    const last = lines.at(-1);
    const width = indent.length + (lines.length > 1 ? 2 : 0);
    if (last !== undefined && width + last.length + word.length < maximumWidth) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : `  ${word}`);
  }
  return lines;
}

/** A comment as string literals of at most 110 characters, which SQL joins. */
function wrapComment(comment: string): string {
  const lines: string[] = [];
  for (const word of comment.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 110) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, index) => `  '${line.replaceAll("'", "''")}${index < lines.length - 1 ? ' ' : ''}'`).join('\n');
}
