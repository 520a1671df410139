// Splits a file of SQL into its statements.

/** Comments; texts and quoted names, in which a semicolon ends nothing; ends of statements. */
const pattern = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(;)/g;

/** The statements without comments and semicolons. Dollar-quoted texts, of which migrations have none, are not known. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let text = '';
  let from = 0;
  for (const match of sql.matchAll(pattern)) {
    const isComment = /^(--|\/\*)/.test(match[0]);
    text += sql.slice(from, match.index) + (isComment ? ' ' : match[1] === ';' ? '' : match[0]);
    from = match.index + match[0].length;
    if (match[1] !== ';') continue;
    statements.push(text.trim());
    text = '';
  }
  return [...statements, (text + sql.slice(from)).trim()].filter((statement) => statement !== '');
}
