// The layout of every email, as HTML and as text. The HTML uses tables with inline styles, which all email clients
// display alike.
import { type Html, html, trustedHtml } from '../../platform/lib/html.ts';

export type RenderedEmail = { subject: string; text: string; html: string };

type Content = {
  programName: string;
  subject: string;
  heading: string;
  paragraphs: string[];
  /** A value to note down, such as the referral code. */
  fact?: { label: string; value: string };
  button?: { label: string; url: string } | null;
  footer: string;
};

const font = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

/** Renders an email in both forms. All text is escaped; the subject is cut to 200 characters. */
export function renderEmail(content: Content): RenderedEmail {
  return { subject: content.subject.slice(0, 200), text: renderText(content), html: renderHtml(content) };
}

function renderText({ programName, heading, paragraphs, fact, button, footer }: Content): string {
  const parts = [programName, heading, ...paragraphs];
  if (fact) parts.push(`${fact.label}: ${fact.value}`);
  if (button) parts.push(`${button.label}: ${button.url}`);
  parts.push(`--\n${footer}`);
  return parts.join('\n\n');
}

function renderHtml({ programName, subject, heading, paragraphs, fact, button, footer }: Content): string {
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;background:#f4f5f2;${trustedHtml(font)};color:#1d2b26">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td style="padding:0 4px 16px;font-size:15px;font-weight:600;color:#0b6b57">${programName}</td></tr>
<tr><td style="background:#ffffff;border:1px solid #e2e6e1;border-radius:12px;padding:32px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${heading}</h1>
${paragraphs.map((text) => html`<p style="margin:0 0 16px;font-size:16px;line-height:1.55">${text}</p>`)}
${fact ? renderFact(fact) : null}
${button ? renderButton(button) : null}
</td></tr>
<tr><td style="padding:16px 4px;font-size:13px;line-height:1.5;color:#5b6b64">${footer}</td></tr>
</table></td></tr></table></body></html>`;
  return body.html;
}

function renderFact({ label, value }: { label: string; value: string }): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr>
<td style="background:#eef5f2;border-radius:8px;padding:14px 18px;font-size:13px;color:#41564d">${label}<br>
<span style="font-size:20px;font-weight:600;letter-spacing:2px;color:#0b4f41;font-family:ui-monospace,Menlo,Consolas,monospace">${value}</span></td>
</tr></table>`;
}

function renderButton({ label, url }: { label: string; url: string }): Html {
  return html`<a href="${url}" style="display:inline-block;background:#0b6b57;color:#ffffff;text-decoration:none;font-size:16px;font-weight:600;padding:12px 22px;border-radius:8px">${label}</a>`;
}

/** "1 March 2026, 12:00 UTC" */
export function formatTime(at: Date): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at);
  return `${text.replace(' at ', ', ')} UTC`;
}
