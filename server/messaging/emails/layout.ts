// The layout of every email, as HTML and as text, in the look of the program or of the service. The HTML uses tables with
// inline styles, which all email clients display alike; it contains no script, and nothing is loaded but the logo. All
// values are escaped.

import { type Accent, toAccent } from '../../platform/lib/color/accent.ts';
import { type Html, html, trustedHtml } from '../../platform/lib/html.ts';
import { isolateRightToLeft } from '../../platform/lib/text.ts';
import type { Frame, Locale, Look } from './look/look.ts';
import { styles, toStyleSheet } from './look/styles.ts';
import { toSubject } from './look/subject.ts';

export type RenderedEmail = { subject: string; text: string; html: string };

type Labelled = { label: string; value: string };

export type Content = {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** What a person wrote: a message, a reason. */
  note?: { label: string; text: string } | null;
  /** A value to note down, such as the referral code. */
  fact?: Labelled | null;
  /** Amounts, one below the other. The last one is their sum. */
  sums?: Labelled[];
  /** An address to pass on. */
  link?: { label: string; url: string } | null;
  button?: { label: string; url: string } | null;
  /** A code to type in. */
  code?: Labelled | null;
  /** Small print below the button. */
  remarks?: string[];
  /** Why the recipient received the email. */
  footer: string;
  /** Set for emails that the recipient can opt out of. Replaced by their own address when the email is sent. */
  unsubscribeUrl?: string | null;
};

const texts = {
  en: { unsubscribe: 'Unsubscribe', sentWith: 'Sent with Tributary' },
  de: { unsubscribe: 'Abbestellen', sentWith: 'Versendet mit Tributary' },
};

/** Renders an email in both forms. */
export function renderEmail({ look, locale }: Frame, given: Content): RenderedEmail {
  const content = isolateNames(given);
  const { subject } = content;
  return { subject, text: renderText({ look, locale }, content), html: renderHtml({ look, locale }, content) };
}

/** Sentences contain names. What a person wrote is a separate paragraph, with its own direction. */
function isolateNames(content: Content): Content {
  const { paragraphs, note, fact, sums = [], code, remarks = [] } = content;
  const labelled = <T extends { label: string }>(part: T): T => ({ ...part, label: isolateRightToLeft(part.label) });
  return {
    ...content,
    subject: isolateRightToLeft(toSubject(content.subject)),
    heading: isolateRightToLeft(content.heading),
    paragraphs: paragraphs.map(isolateRightToLeft),
    note: note ? labelled(note) : null,
    fact: fact ? { label: isolateRightToLeft(fact.label), value: isolateRightToLeft(fact.value) } : null,
    sums: sums.map(labelled),
    code: code ? labelled(code) : null,
    remarks: remarks.map(isolateRightToLeft),
    footer: isolateRightToLeft(content.footer),
  };
}

const linesOf = (text: string): string[] => text.split(/\s*\n\s*/).filter((line) => line !== '');

function renderText({ look, locale }: Frame, content: Content): string {
  const { heading, paragraphs, note, fact, sums = [], link, button, code, remarks = [], footer, unsubscribeUrl } = content;
  const parts = [look.of === 'program' ? look.name : 'Tributary', heading, ...paragraphs];
  if (note) parts.push(`${note.label}\n${linesOf(note.text).join('\n')}`);
  if (fact) parts.push(`${fact.label}: ${fact.value}`);
  if (sums.length > 0) parts.push(sums.map(({ label, value }) => `${label}: ${value}`).join('\n'));
  if (link) parts.push(`${link.label}: ${link.url}`);
  if (button) parts.push(`${button.label}: ${button.url}`);
  if (code) parts.push(`${code.label}: ${code.value}`);
  const last = ['--', footer];
  if (unsubscribeUrl) last.push(`${texts[locale].unsubscribe}: ${unsubscribeUrl}`);
  if (look.of === 'program' && look.postalAddress) last.push(...linesOf(look.postalAddress));
  return [...parts, ...remarks, last.join('\n'), ''].join('\n\n');
}

function renderHtml({ look, locale }: Frame, content: Content): string {
  const { subject, heading, paragraphs, note, fact, sums = [], link, button, code, remarks = [] } = content;
  const accent = toAccent(look.of === 'program' ? look.color : null);
  const page = html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${subject}</title>${toStyleSheet(accent)}</head>
<body class="page" style="${styles.body}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="${styles.page}"><tr><td class="outer" align="center" style="${styles.outer}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td align="left" style="${styles.head}">${renderHead(look)}</td></tr>
<tr><td class="card" align="left" style="${styles.card}">${look.of === 'program' ? renderBar(accent) : null}
<h1 class="ink" style="${styles.heading}">${heading}</h1>
${paragraphs.map((text) => html`<p class="ink2" style="${styles.text}">${text}</p>`)}
${note ? renderNote(note, accent) : null}${fact ? renderWell(fact, styles.fact) : null}${sums.length > 0 ? renderSums(sums) : null}${link ? renderLink(link) : null}
${button ? renderButton(button, accent) : null}${code ? renderCode(code) : null}
${remarks.map((text, index) => html`<p class="ink2" style="${styles.small}${trustedHtml(index === 0 ? ';margin-top:24px' : '')}">${text}</p>`)}
</td></tr><tr><td align="left" style="padding:20px 4px">${renderFooter({ look, locale }, content)}</td></tr>
</table></td></tr></table></body></html>`;
  return page.html;
}

/** The logo has a light plate in the dark scheme, because most logos are drawn for a light background. */
function renderHead(look: Look): Html {
  if (look.of === 'service') return html`<span class="mark" style="${styles.mark}">Tributary</span>`;
  if (!look.logoUrl) return html`<span class="ink" style="${styles.name}"><bdi>${look.name}</bdi></span>`;
  const size = trustedHtml('display:block;max-height:44px;max-width:220px;width:auto;height:auto;border:0');
  return html`<table role="presentation" cellpadding="0" cellspacing="0"><tr><td class="plate">
<img src="${look.logoUrl}" alt="${look.name}" height="44" style="${size};${styles.name}"></td></tr></table>`;
}

function renderBar({ light }: Accent): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 24px"><tr>
<td class="bar" width="44" height="4" style="background:${trustedHtml(light.background)};border-radius:2px;font-size:0;line-height:4px">&nbsp;</td></tr></table>`;
}

function renderNote({ label, text }: { label: string; text: string }, { light }: Accent): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${styles.note}"><tr>
<td class="note" style="border-left:3px solid ${trustedHtml(light.background)};padding:2px 0 0 16px"><p class="ink2" style="${styles.noteLabel}">${label}</p>
${linesOf(text).map((line) => html`<p class="ink" dir="auto" style="${styles.noteText}">${line}</p>`)}</td></tr></table>`;
}

function renderWell({ label, value }: Labelled, style: Html): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr>
<td class="well" style="${styles.well}"><span style="${styles.wellLabel}">${label}</span><br><span style="${style}">${value}</span></td></tr></table>`;
}

function renderSums(sums: readonly Labelled[]): Html {
  const row = ({ label, value }: Labelled, index: number) => {
    const style = index === sums.length - 1 ? styles.sumLast : styles.sum;
    return html`<tr><td class="line ink" align="left" style="${style}">${label}</td><td class="line ink" align="right" style="${style}"><bdi>${value}</bdi></td></tr>`;
  };
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px">${sums.map(row)}</table>`;
}

function renderCode(code: Labelled): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:24px 0 0"><tr>
<td class="well" align="center" style="${styles.well}"><span style="${styles.wellLabel}">${code.label}</span><br><span style="${styles.code}">${code.value}</span></td></tr></table>`;
}

function renderLink({ label, url }: { label: string; url: string }): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr>
<td class="well" style="${styles.well}"><span style="${styles.wellLabel}">${label}</span><br><a class="ink" href="${url}" style="${styles.link}">${url.replace(/^https?:\/\//, '')}</a></td></tr></table>`;
}

function renderButton({ label, url }: { label: string; url: string }, { light }: Accent): Html {
  const { background, text } = light;
  const colors = trustedHtml(`background:${background};color:${text};border:1px solid ${background}`);
  return html`<a class="button wide" href="${url}" style="display:inline-block;${colors};text-decoration:none;font-size:16px;line-height:24px;font-weight:600;padding:12px 26px;border-radius:10px">${label}</a>`;
}

function renderFooter({ look, locale }: { look: Look; locale: Locale }, { footer, unsubscribeUrl }: Content): Html {
  const words = texts[locale];
  const small = (content: Html | string) => html`<p class="ink2" style="${styles.small}">${content}</p>`;
  const unsubscribe =
    unsubscribeUrl && html` <a class="ink2" href="${unsubscribeUrl}" style="${styles.smallLink}">${words.unsubscribe}</a>`;
  const postal = look.of === 'program' && look.postalAddress ? small(linesOf(look.postalAddress).join(' · ')) : null;
  return html`${small(html`${footer}${unsubscribe || null}`)}${postal}${look.of === 'program' ? small(words.sentWith) : null}`;
}
