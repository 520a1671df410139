// The frame of the documentation: its menu, the search field, and a policy that allows only our style sheet. Pages need no script.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, trustedHtml } from '../../lib/html.ts';
import { chapters } from './contents.ts';
import type { Guide } from './guide.ts';
import type { Found } from './search.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const hash = createHash('sha256').update(style).digest('base64');

export const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Page = { title: string; body: Html; current: string; guides: ReadonlyMap<string, Guide>; query?: string };

export function renderPage({ title, body, current, guides, query = '' }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Tributary</title>
<link rel="icon" href="/favicon.ico">
<style>${trustedHtml(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a class="name" href="/docs">Tributary</a>
<form action="/docs/search" role="search"><input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search"></form></header>
<div class="columns">
<nav aria-label="Documentation">${chapters.map((chapter) => renderChapter(chapter, current, guides))}
<h2>Reference</h2><ul><li><a href="/docs/api">API</a></li>${renderLink('errors', current, guides)}</ul></nav>
<main id="content">${body}</main>
</div>
</body>
</html>`.html;
}

function renderChapter({ title, pages }: (typeof chapters)[number], current: string, guides: Page['guides']): Html {
  return html`<h2>${title}</h2><ul>${pages.map(({ slug }) => renderLink(slug, current, guides))}</ul>`;
}

function renderLink(slug: string, current: string, guides: Page['guides']): Html {
  const title = guides.get(slug)?.title ?? slug;
  const attribute = slug === current ? trustedHtml(' aria-current="page"') : null;
  return html`<li><a href="/docs/${slug}"${attribute}>${title}</a></li>`;
}

/** The first page: what there is to read. */
export function renderContents(guides: ReadonlyMap<string, Guide>): Html {
  const card = ({ slug, title, summary }: Guide) =>
    html`<li><a href="/docs/${slug}">${title}</a><p>${summary.length > 160 ? `${summary.slice(0, 157)}…` : summary}</p></li>`;
  return html`<h1>Documentation</h1>
<p>How to run an affiliate program with Tributary: from the first click to the hundredth payday. The reference of the API is at
<a href="/docs/api">/docs/api</a>.</p>
<ul class="cards">${[...guides.values()].map(card)}</ul>`;
}

export function renderResults(query: string, found: readonly Found[]): Html {
  const count = found.length === 1 ? '1 result' : `${found.length} results`;
  const result = ({ slug, guide, section, excerpt }: Found) =>
    html`<li><a href="/docs/${slug}#${section.id}">${section.title === guide ? guide : `${guide}: ${section.title}`}</a><p>${excerpt}</p></li>`;
  return html`<h1>${query === '' ? 'Search' : `Search for “${query}”`}</h1>
<p>${query === '' ? 'Enter one or more words.' : found.length === 0 ? 'Nothing contains all of these words. Try fewer words.' : count}</p>
<ul class="cards">${found.map(result)}</ul>`;
}
