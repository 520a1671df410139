// The entry pages as a response: language, colour scheme and style nonce are written into the page, so that no inline
// script is needed. Also the page that waits for the build.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebFiles } from './files.ts';

const languages = ['en', 'de'] as const;
type Language = (typeof languages)[number];

/** The names of the cookies that the apps set. They hold no secret. */
export const cookieNames = { language: 'trb-language', scheme: 'trb-scheme' };

/**
 * The content security policy of an entry page. Styles that the component library inserts carry the nonce. Only pages of
 * `frameAncestors`, origins that have been checked, can show it in a frame.
 */
export function contentPolicy(nonce: string, frameAncestors: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' https: data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.join(' ') || "'none'"}`,
  ].join('; ');
}

/** What an address may say about a page in a frame, where browsers send no cookies. */
export type Given = { frameAncestors?: readonly string[]; language?: Language | undefined; scheme?: 'light' | 'dark' | undefined };

type Parts = Pick<WebFiles, 'texts'> & Given & { headers: IncomingHttpHeaders };

/** Fills the entry page of an app for one response. */
export function renderEntry(name: string, html: string, { texts: files, headers, ...given }: Parts): { html: string; nonce: string } {
  const nonce = randomBytes(16).toString('base64');
  const language = given.language ?? chooseLanguage(headers);
  const scheme = given.scheme ?? readCookie(headers.cookie, cookieNames.scheme);
  const attributes = scheme === 'light' || scheme === 'dark' ? ` data-mantine-color-scheme="${scheme}"` : '';
  const texts = files.get(`${name}-${language}`);
  const preload = texts ? `<link rel="modulepreload" crossorigin href="${texts}">` : '';
  return {
    nonce,
    html: html
      .replace('<html lang="en">', `<html lang="${language}"${attributes}>`)
      .replace('<meta name="style-nonce" content="" />', `<meta name="style-nonce" content="" nonce="${nonce}">${preload}`),
  };
}

const notices = {
  en: {
    building: ['Preparing the console', 'This takes a few seconds after an update. The page loads automatically.'],
    failed: ['The console could not be built', 'The API is not affected. The log of the service has the details:'],
  },
  de: {
    building: ['Die Konsole wird vorbereitet', 'Nach einer Aktualisierung dauert das einige Sekunden. Die Seite lädt von selbst.'],
    failed: ['Die Konsole konnte nicht erstellt werden', 'Die API ist nicht betroffen. Einzelheiten stehen im Protokoll des Dienstes:'],
  },
} as const;

const noticeStyle = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-content:center;gap:12px;padding:24px;
background:light-dark(#f6f8f5,#0b1513);color:light-dark(#11211e,#e7f0ed);font:16px/24px system-ui,sans-serif}
h1{margin:0;font:italic 32px/38px Georgia,serif}p{margin:0;color:light-dark(#44554f,#b2c4be)}
pre{max-width:80vw;overflow:auto;margin:0;padding:16px;border-radius:12px;background:light-dark(#ecf0ec,#081110);font-size:13px;line-height:20px}`;

/** What /console shows instead of the app; it loads itself again while the build runs. */
export function renderNotice(headers: IncomingHttpHeaders, reason: string | null): { html: string; nonce: string } {
  const nonce = randomBytes(16).toString('base64');
  const language = chooseLanguage(headers);
  const [title, text] = notices[language][reason === null ? 'building' : 'failed'];
  const refresh = reason === null ? '<meta http-equiv="refresh" content="1">' : '';
  const detail = reason === null ? '' : `<pre tabindex="0">${escapeHtml(reason)}</pre>`;
  return {
    nonce,
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}<title>${title}</title><style nonce="${nonce}">${noticeStyle}</style></head>
<body><main><h1>${title}</h1><p>${text}</p>${detail}</main></body></html>`,
  };
}

/** The language that the user chose, otherwise the browser's first one that exists. */
function chooseLanguage(headers: IncomingHttpHeaders): Language {
  const chosen = readCookie(headers.cookie, cookieNames.language);
  const accepted = String(headers['accept-language'] ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.trim().split(';');
      return { tag: tag.slice(0, 2).toLowerCase(), quality: Number(quality.trim().slice(2)) || 0 };
    })
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
  const wanted = [chosen, ...accepted];
  return wanted.flatMap((tag) => languages.find((language) => language === tag) ?? [])[0] ?? 'en';
}

function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
