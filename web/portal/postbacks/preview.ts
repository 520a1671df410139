// What a URL with macros looks like when it is called with the example values.

export type Macro = { name: string; example: string };

/** The URL with the example values. Unknown macros stay as they are; the server rejects them. */
export function previewUrl(template: string, macros: readonly Macro[]): string {
  const examples = new Map(macros.map(({ name, example }) => [name, example]));
  return template.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const example = examples.get(name);
    return example === undefined ? whole : encodeURIComponent(example);
  });
}

/** The text with a macro in place of the selection, and where the caret is then. */
export function insertMacro(text: string, name: string, [start, end]: readonly [number, number]): { text: string; caret: number } {
  const macro = `{${name}}`;
  return { text: text.slice(0, start) + macro + text.slice(end), caret: start + macro.length };
}
