// HTML templates for pages and emails: html`…` escapes every value that isn't HTML already. Escaping doesn't make a URL
// safe; URLs are validated on input (http and https only).

export type Html = { readonly html: string };
type Value = string | number | Html | Html[] | null | undefined | false;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: parts.reduce((text, part, index) => text + render(values[index - 1]) + part) };
}

/** Text that is known to be HTML, such as our own style sheets and scripts. Never user input. */
export function trustedHtml(text: string): Html {
  return { html: text };
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map((item) => item.html).join('');
  if (typeof value === 'object') return value.html;
  return String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
