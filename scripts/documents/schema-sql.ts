// `migrations/schema.sql`: every table as the migrations leave it, read from the catalogue of a migrated database.
// It is documentation: only the migrations are executed.
import type pg from 'pg';

type Line = { name: string; definition: string };
type Column = Line & { comment: string | null };
type Table = { name: string; comment: string | null; columns: Column[]; constraints: Line[]; indexes: string[] };

const selectColumns = `
  select attribute.attname as name, concat_ws(' ',
    format_type(attribute.atttypid, attribute.atttypmod),
    case when sorting.collname is not null and sorting.collname <> 'default' then format('collate %I', sorting.collname) end,
    case when attribute.attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(preset.adbin, preset.adrelid)) end,
    case when attribute.attnotnull then 'not null' end,
    case when attribute.attgenerated = '' and preset.adbin is not null then format('default %s', pg_get_expr(preset.adbin, preset.adrelid)) end
  ) as definition, col_description(attribute.attrelid, attribute.attnum) as comment
  from pg_attribute as attribute
    join pg_type as type on type.oid = attribute.atttypid
    left join pg_attrdef as preset on preset.adrelid = attribute.attrelid and preset.adnum = attribute.attnum
    left join pg_collation as sorting on sorting.oid = attribute.attcollation and attribute.attcollation <> type.typcollation
  where attribute.attrelid = $1 and attribute.attnum > 0 and not attribute.attisdropped
  order by attribute.attname in ('created_at', 'updated_at'), attribute.attnum`;

const selectConstraints = `
  select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
  where conrelid = $1 and contype in ('p', 'u', 'f', 'c', 'x')
  order by array_position(array['p', 'u', 'f', 'c', 'x']::"char"[], contype), conname`;

const selectIndexes = `
  select pg_get_indexdef(indexrelid) as definition from pg_index
  where indrelid = $1 and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
  order by indexrelid::regclass::text`;

/** Every table of the public schema, in the order of their names. */
async function readTables(pool: pg.Pool): Promise<Table[]> {
  const tables = await pool.query<{ oid: number; name: string; comment: string | null }>(`
    select oid, relname as name, obj_description(oid, 'pg_class') as comment from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'migrations' order by relname`);
  const found: Table[] = [];
  for (const { oid, name, comment } of tables.rows) {
    const columns = (await pool.query<Column>(selectColumns, [oid])).rows;
    const constraints = (await pool.query<Line>(selectConstraints, [oid])).rows;
    const indexes = (await pool.query<{ definition: string }>(selectIndexes, [oid])).rows.map(({ definition }) => definition);
    found.push({ name, comment, columns, constraints, indexes });
  }
  return found;
}

/** The text of one table: its columns, constraints, comments and indexes. */
export function formatTable({ name, comment, columns, constraints, indexes }: Table): string {
  const lines = [
    ...columns.map((column) => `  ${column.name} ${simplify(column.definition)}`),
    ...constraints.map((constraint) => `  constraint ${constraint.name} ${simplify(constraint.definition)}`),
  ];
  const table = `create table ${name} (\n${lines.join(',\n')}\n);\n`;
  const note = comment ? `\ncomment on table ${name} is\n${wrapComment(comment)};\n` : '';
  const columnNotes = columns.map((column) =>
    column.comment ? `\ncomment on column ${name}.${column.name} is\n${wrapComment(column.comment)};\n` : '',
  );
  const access = indexes.map((index) => `${simplify(index)};\n`).join('');
  return `${table}${note}${columnNotes.join('')}${access && `\n${access}`}`;
}

const keywords =
  /\b(PRIMARY KEY|UNIQUE INDEX|UNIQUE|FOREIGN KEY|REFERENCES|CHECK|CREATE|INDEX|ON DELETE|CASCADE|USING|WHERE|ON|IS NOT NULL|IS NULL|NOT|NULL|AND|OR|ANY|ARRAY|DESC|INCLUDE|DEFERRABLE|INITIALLY|DEFERRED|CASE|WHEN|THEN|ELSE|END)\b/g;

/** A readable definition, without the casts and parentheses that the catalogue adds. */
function simplify(definition: string): string {
  const text = definition
    .replace(/\s+/g, ' ')
    .replace(keywords, (word) => word.toLowerCase())
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replace(/'((?:[^']|'')*)'::(?:text|bigint|numeric|timestamptz|jsonb)(\[\])?/g, (_, value: string) => `'${value}'`)
    .replace(/\('?(\d+)'?\)::(?:numeric|bigint)/g, '$1')
    .replace(/'(\d{6,})'/g, '$1')
    .replace(/\((\w+) >= (\d+)\) and \(\1 <= (\w+)\)/g, '$1 between $2 and $3')
    .replace(/\b(LEAST|GREATEST|ALL)\b/g, (word) => word.toLowerCase())
    .replace(/check \( case/, 'check (case')
    .replace(/= any \(array\[(.*?)\]\)/g, 'in ($1)')
    .replace(/references (\w+)\(/, 'references $1 (')
    .replace(/ on public\./, ' on ')
    .replace(' using btree', '');
  return text.replace(/^(.*?(?:check|where|unless)) \((.*)\)$/, (_, head: string, rest: string) =>
    head.endsWith('check') ? `${head} (${removeParentheses(rest)})` : `${head} ${removeParentheses(`(${rest})`)}`,
  );
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

/** The contents of `migrations/schema.sql`. */
export async function schemaSql(pool: pg.Pool): Promise<string> {
  const tables = await readTables(pool);
  const head = '-- Every table as the migrations leave it. Generated by `npm run generate`, for reading only.\n';
  return `${head}\n${tables.map(formatTable).join('\n')}`;
}
