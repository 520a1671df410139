// The styles of emails. Inline ones work in every email client; clients that know style sheets also get a dark scheme and
// less space around the text on narrow screens.

import type { Accent } from '../../../platform/lib/color/accent.ts';
import { type Html, trustedHtml } from '../../../platform/lib/html.ts';

const font = "font-family:Figtree,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const mono = 'font-family:ui-monospace,Menlo,Consolas,monospace';
const ink = '#11211e';
const ink2 = '#44554f';

/** The marker by which a preview finds the condition of the dark scheme. */
export const darkCondition = '(prefers-color-scheme:dark)';

/** Only colors that were parsed are in the sheet. */
export function toStyleSheet({ light, dark }: Accent): Html {
  return trustedHtml(`<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
body,td,p,h1,a,span{overflow-wrap:anywhere;word-break:break-word}
@media (max-width:480px){.outer{padding:20px 12px!important}.card{padding:28px 20px!important}.wide{display:block!important;text-align:center!important}}
@media ${darkCondition}{.page{background:#0b1513!important}.card{background:#11201d!important;border-color:#26403a!important}
.bar{background:${dark.background}!important}.ink{color:#e7f0ed!important}.ink2{color:#b2c4be!important}

.line{border-color:#26403a!important}.well{background:#182b27!important;color:#e7f0ed!important}.note{border-color:${dark.background}!important}
.button{background:${dark.background}!important;color:${dark.text}!important;border-color:${dark.background}!important}
.button-text{color:${dark.text}!important}.plate{background:#ffffff!important;padding:10px 14px!important;border-radius:10px!important}
.mark{color:#5cc8b6!important}}
@media not all and ${darkCondition}{.button{border-color:${light.background}}}</style>`);
}

export const styles = {
  body: trustedHtml(`margin:0;padding:0;background:#f6f8f5;${font};color:${ink}`),
  page: trustedHtml('background:#f6f8f5'),
  outer: trustedHtml('padding:40px 16px'),
  card: trustedHtml('background:#ffffff;border:1px solid #dbe2dd;border-radius:16px;padding:40px'),
  head: trustedHtml('padding:0 4px 20px'),
  name: trustedHtml(`font-size:18px;line-height:26px;font-weight:600;color:${ink}`),
  mark: trustedHtml('font-family:Georgia,serif;font-style:italic;font-size:24px;line-height:30px;color:#0a6560'),
  heading: trustedHtml(`margin:0 0 16px;font-size:24px;line-height:32px;font-weight:600;color:${ink}`),
  text: trustedHtml(`margin:0 0 16px;font-size:16px;line-height:26px;color:${ink2}`),
  note: trustedHtml('margin:4px 0 20px'),
  noteLabel: trustedHtml(`margin:0 0 4px;font-size:13px;line-height:20px;font-weight:600;color:${ink2}`),
  noteText: trustedHtml(`margin:0 0 8px;font-size:16px;line-height:26px;color:${ink}`),
  well: trustedHtml(`background:#eef3f0;border-radius:12px;padding:14px 18px;color:${ink}`),
  wellLabel: trustedHtml('font-size:13px;line-height:20px'),
  fact: trustedHtml(`font-size:20px;line-height:30px;font-weight:600;letter-spacing:2px;${mono}`),
  sum: trustedHtml(`font-size:16px;line-height:24px;padding:8px 0;border-bottom:1px solid #dbe2dd;color:${ink}`),
  sumLast: trustedHtml(`font-size:16px;line-height:24px;padding:10px 0 0;font-weight:600;color:${ink}`),
  code: trustedHtml(`font-size:32px;line-height:44px;font-weight:700;letter-spacing:8px;${mono}`),
  link: trustedHtml(`font-size:16px;line-height:26px;font-weight:600;color:${ink};text-decoration:underline`),
  small: trustedHtml(`margin:0 0 8px;font-size:13px;line-height:20px;color:${ink2}`),
  smallLink: trustedHtml(`color:${ink2};text-decoration:underline`),
} as const;
