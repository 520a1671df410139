// How every mail looks: one column, the brand's name on top, one thing to do, plain words. Written as
// tables with styles in place, since that is what mail programs show alike; and as text.
import { type Html, html, trustedHtml } from '../../platform/lib/html.ts';

export type Letter = { subject: string; text: string; html: string };

type Content = {
  brand: string;
  subject: string;
  heading: string;
  paragraphs: string[];
  /** A fact to keep, such as the referral code. */
  fact?: { label: string; value: string };
  button?: { label: string; url: string };
  footer: string;
};

const font = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

/** Both forms of a mail. Text is escaped; the subject is cut at 200 characters. */
export function letter(content: Content): Letter {
  return { subject: content.subject.slice(0, 200), text: asText(content), html: asHtml(content) };
}

function asText({ brand, heading, paragraphs, fact, button, footer }: Content): string {
  return [
    brand,
    heading,
    ...paragraphs,
    ...(fact ? [`${fact.label}: ${fact.value}`] : []),
    ...(button ? [`${button.label}: ${button.url}`] : []),
    `--\n${footer}`,
  ].join('\n\n');
}

function asHtml({ brand, subject, heading, paragraphs, fact, button, footer }: Content): string {
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;background:#f4f5f2;${trustedHtml(font)};color:#1d2b26">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td style="padding:0 4px 16px;font-size:15px;font-weight:600;color:#0b6b57">${brand}</td></tr>
<tr><td style="background:#ffffff;border:1px solid #e2e6e1;border-radius:12px;padding:32px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${heading}</h1>
${paragraphs.map((text) => html`<p style="margin:0 0 16px;font-size:16px;line-height:1.55">${text}</p>`)}
${fact ? factBox(fact) : null}
${button ? buttonRow(button) : null}
</td></tr>
<tr><td style="padding:16px 4px;font-size:13px;line-height:1.5;color:#5b6b64">${footer}</td></tr>
</table></td></tr></table></body></html>`;
  return body.html;
}

function factBox({ label, value }: { label: string; value: string }): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr>
<td style="background:#eef5f2;border-radius:8px;padding:14px 18px;font-size:13px;color:#41564d">${label}<br>
<span style="font-size:20px;font-weight:600;letter-spacing:2px;color:#0b4f41;font-family:ui-monospace,Menlo,Consolas,monospace">${value}</span></td>
</tr></table>`;
}

function buttonRow({ label, url }: { label: string; url: string }): Html {
  return html`<a href="${url}" style="display:inline-block;background:#0b6b57;color:#ffffff;text-decoration:none;font-size:16px;font-weight:600;padding:12px 22px;border-radius:8px">${label}</a>`;
}
