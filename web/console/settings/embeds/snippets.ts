// The code that embeds the portal or the widget, for the developers of the program. Pure.

export type EmbedKind = 'portal' | 'widget';

/** What runs on the program's server for each page view. `service` is the address of this service. */
export function serverCode(kind: EmbedKind, { origin, service }: { origin: string; service: string }): string {
  const result = kind === 'portal' ? 'url' : 'token';
  return `import { createClient } from '@tributary/client';

const client = createClient({ url: '${service}', apiKey: process.env.TRIBUTARY_API_KEY });

const { ${result} } = await client.embedTokens.create(affiliateId, {
  kind: '${kind}',
  origin: '${origin}',
});`;
}

/** What the page contains. `{url}` and `{token}` are what the server created. */
export function pageCode(kind: EmbedKind, service: string): string {
  if (kind === 'widget')
    return `<script src="${service}/embed/widget.js" defer></script>\n<tributary-widget token="{token}"></tributary-widget>`;
  return `<iframe
  src="{url}"
  title="Partner program"
  allow="clipboard-write"
  style="width: 100%; height: 720px; border: 0"
></iframe>`;
}
