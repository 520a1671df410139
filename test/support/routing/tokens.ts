// Splits a statement into tokens and groups what is in parentheses, as far as `check-statement.ts` needs it.

export type Token =
  | { kind: 'word' | 'name' | 'parameter' | 'other'; text: string }
  /** What is in parentheses or brackets. */
  | { kind: 'group'; text: '('; isBracket: boolean; tokens: Token[] };

/** Comments and white space; texts; quoted names; parameters; words; numbers and operators. */
const pattern =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\s+|[eE]?'(?:[^']|'')*'|"((?:[^"]|"")*)"|\$(\d+)|([A-Za-z_][\w$]*)|\d[\w.]*|::|[<>=!~@#%^&|?*/+-]+|[^\s]/g;

/** The tokens of a statement. A word is an unquoted name or a keyword, in lower case. */
export function parseTokens(statement: string): Token[] {
  const root: Token[] = [];
  const open: Token[][] = [root];
  for (const [text, name, parameter, word] of statement.matchAll(pattern)) {
    const tokens = open.at(-1) ?? root;
    if (/^(\s|--|\/\*)/.test(text)) continue;
    if (text === '(' || text === '[') {
      const group: Token = { kind: 'group', text: '(', isBracket: text === '[', tokens: [] };
      tokens.push(group);
      open.push(group.tokens);
    } else if (text === ')' || text === ']') {
      open.pop();
    } else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (parameter !== undefined) tokens.push({ kind: 'parameter', text: parameter });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word.toLowerCase() });
    else tokens.push({ kind: 'other', text });
  }
  return root;
}

export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}

/** The name of a table, column or alias; null for anything else. */
export function toName(token: Token | undefined): string | null {
  return token?.kind === 'word' || token?.kind === 'name' ? token.text : null;
}

/** Splits tokens at each one for which `isSeparator` is true. */
export function splitTokens(tokens: readonly Token[], isSeparator: (token: Token, index: number) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  for (const [index, token] of tokens.entries()) {
    if (isSeparator(token, index)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
