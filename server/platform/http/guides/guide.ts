// A page of the documentation: Markdown of the repository as HTML, with an anchor for each headline.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { type Html, trustedHtml } from '../../lib/html.ts';
import { chapters } from './contents.ts';

/** A headline with the text below it, up to the next headline. */
export type Section = { id: string; title: string; text: string };

export type Guide = { slug: string; title: string; summary: string; markdown: string; body: Html; sections: readonly Section[] };

const root = new URL('../../../../', import.meta.url);
const slugs = new Map(chapters.flatMap(({ pages }) => pages.map(({ slug, file }) => [file, slug])));

/** Reads a file of the repository. Throws if a link in it leads to a file that doesn't exist. */
export function readGuide({ slug, file }: { slug: string; file: string }): Guide {
  const markdown = readFileSync(new URL(file, root), 'utf8').replace(/<!--[\s\S]*?-->\n?/g, '');
  return toGuide({ slug, file, markdown });
}

export function toGuide({ slug, file, markdown }: { slug: string; file: string; markdown: string }): Guide {
  const sections: { id: string; title: string; text: string }[] = [];
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(markdown);
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ id: toId(token.text), title: toPlain(token.text), text: '' });
    else if (sections.length > 0) (sections.at(-1) as Section & { text: string }).text += `${toPlain(token.raw)} `;
  }
  marked.use({
    renderer: {
      heading({ text, depth, tokens: parts }: Tokens.Heading) {
        const id = toId(text);
        return `<h${depth} id="${id}">${this.parser.parseInline(parts)}</h${depth}>\n`;
      },
      link({ href, tokens: parts }: Tokens.Link) {
        const text = this.parser.parseInline(parts);
        const address = toAddress(file, href);
        return address === null ? text : `<a href="${address}">${text}</a>`;
      },
      // Pictures of the repository aren't served.
      image: () => '',
      table(table: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const head = table.header.some(({ text }) => text !== '') ? `<thead>${row(table.header, 'th')}</thead>` : '';
        return `<div class="table" tabindex="0"><table>${head}<tbody>${table.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
      },
    },
  });
  const [first] = sections;
  const summary = tokens.find(({ type }) => type === 'paragraph');
  return {
    slug,
    title: first?.title ?? slug,
    summary: summary ? toPlain(summary.raw).replace(/\s+/g, ' ').trim() : '',
    markdown,
    body: trustedHtml(marked.parser(tokens)),
    sections,
  };
}

/** `How clicks work` → `how-clicks-work`, as GitHub names the anchors of the same file. */
function toId(text: string): string {
  return toPlain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function toPlain(markdown: string): string {
  return markdown
    .replace(/^[|: -]+$/gm, '')
    .replace(/```\w*|[`*|#>]/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** The address of a link on this server; null for files that it doesn't serve, of which only the text remains. */
function toAddress(from: string, href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(from), path));
  if (target === 'openapi.json') return '/openapi.json';
  if (target === 'docs/routes.md' || target === 'docs/contract.md') return '/docs/api';
  const slug = slugs.get(target);
  return slug === undefined ? null : `/docs/${slug}${anchor ? `#${anchor}` : ''}`;
}
