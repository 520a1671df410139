// TABLE OF CONTENTS of the documentation at /docs: files of this repository, in the order of the menu.

export type Chapter = { title: string; pages: readonly { slug: string; file: string }[] };

export const chapters: readonly Chapter[] = [
  {
    title: 'Start',
    pages: [
      { slug: 'quickstart', file: 'docs/guides/quickstart.md' },
      { slug: 'clicks', file: 'docs/guides/clicks.md' },
      { slug: 'consent', file: 'docs/guides/consent.md' },
      { slug: 'commissions', file: 'docs/guides/commissions.md' },
      { slug: 'currencies', file: 'docs/guides/currencies.md' },
      { slug: 'payouts', file: 'docs/guides/payouts.md' },
    ],
  },
  {
    title: 'Stores',
    pages: [
      { slug: 'stores', file: 'docs/guides/stores.md' },
      { slug: 'stripe', file: 'docs/guides/stripe.md' },
      { slug: 'shopify', file: 'docs/guides/shopify.md' },
      { slug: 'woocommerce', file: 'docs/guides/woocommerce.md' },
      { slug: 'paddle', file: 'docs/guides/paddle.md' },
      { slug: 'lemon-squeezy', file: 'docs/guides/lemon-squeezy.md' },
    ],
  },
  {
    title: 'Integrate',
    pages: [
      { slug: 'server-to-server', file: 'docs/guides/server-to-server.md' },
      { slug: 'mobile-apps', file: 'docs/guides/mobile-apps.md' },
      { slug: 'nextjs', file: 'docs/guides/nextjs.md' },
      { slug: 'webhooks', file: 'docs/guides/webhooks.md' },
      { slug: 'testing', file: 'docs/guides/testing.md' },
      { slug: 'embedding', file: 'docs/guides/embedding.md' },
      { slug: 'client', file: 'sdk/README.md' },
      { slug: 'command-line', file: 'docs/cli.md' },
      { slug: 'example-shop', file: 'examples/shop/README.md' },
    ],
  },
  {
    title: 'Run',
    pages: [
      { slug: 'migrating', file: 'docs/guides/migrating.md' },
      { slug: 'custom-domains', file: 'docs/guides/custom-domains.md' },
      { slug: 'going-live', file: 'docs/guides/going-live.md' },
      { slug: 'operations', file: 'docs/operations.md' },
      { slug: 'single-sign-on', file: 'docs/guides/single-sign-on.md' },
      { slug: 'privacy', file: 'docs/guides/privacy.md' },
      { slug: 'security', file: 'SECURITY.md' },
      { slug: 'changelog', file: 'CHANGELOG.md' },
    ],
  },
];
