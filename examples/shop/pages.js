// The pages of the shop.
import { products } from './products.js';

const money = (cents) => `$${(cents / 100).toFixed(2)}`;
const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title, body) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escapeHtml(title)} · Fern &amp; Field</title>
    <style>
      :root { color-scheme: light dark; }
      body { font: 17px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem; }
      form, article { border: 1px solid #8886; border-radius: 12px; padding: 1rem 1.25rem; margin: 1rem 0; }
      label { display: block; margin: 0.5rem 0; }
      input { font: inherit; width: 100%; box-sizing: border-box; padding: 0.4rem 0.6rem; }
      button { font: inherit; padding: 0.5rem 1rem; border-radius: 8px; border: 0; background: #2f6b4f; color: #fff; cursor: pointer; }
    </style>
  </head>
  <body>
    <main>${body}</main>
  </body>
</html>`;

export const shopPage = () =>
  page(
    'Shop',
    `<h1>Fern &amp; Field</h1>
    ${products
      .map(
        ({ id, name, priceCents }) => `<form method="post" action="/checkout" aria-label="${escapeHtml(name)}">
      <h2>${escapeHtml(name)}</h2>
      <p>${money(priceCents)}</p>
      <input type="hidden" name="product" value="${escapeHtml(id)}">
      <label>Email <input name="email" type="email" required autocomplete="email"></label>
      <label>Coupon <input name="coupon"></label>
      <button>Buy</button>
    </form>`,
      )
      .join('')}
    <p><a href="/partners">Partners</a></p>`,
  );

export const orderPage = ({ id, product, amountCents, refundedCents, subscription, outcome }) =>
  page(
    `Order ${id}`,
    `<h1>Thank you</h1>
    <article>
      <p>${escapeHtml(product.name)}, ${money(amountCents)}${subscription ? `, payment ${subscription.sequence}` : ''}</p>
      <p>${outcome.commissionCents > 0 ? `An affiliate earns ${money(outcome.commissionCents)}.` : 'No affiliate is credited.'}</p>
      <p>Refunded: ${money(refundedCents)}</p>
    </article>
    <form method="post" action="/orders/${escapeHtml(id)}/refund">
      <input type="hidden" name="amountCents" value="${Math.min(1000, amountCents - refundedCents)}">
      <button>Refund ${money(Math.min(1000, amountCents - refundedCents))}</button>
    </form>
    ${subscription ? `<form method="post" action="/orders/${escapeHtml(id)}/renew"><button>Charge the next month</button></form>` : ''}
    <p><a href="/">Continue shopping</a> · <a href="/events">Events</a></p>`,
  );

export const eventsPage = (events) =>
  page(
    'Events',
    `<h1>Events</h1>
    ${events.length === 0 ? '<p>No event has arrived yet.</p>' : ''}
    <ul>${events.map(({ type, createdAt }) => `<li><code>${escapeHtml(type)}</code> ${escapeHtml(createdAt)}</li>`).join('')}</ul>`,
  );

export const partnersPage = (embeds) =>
  page(
    'Partners',
    embeds
      ? `<h1>Your partner account</h1>
    <script src="${escapeHtml(embeds.widgetUrl)}" defer></script>
    <tributary-widget token="${escapeHtml(embeds.widgetToken)}"></tributary-widget>
    <iframe src="${escapeHtml(embeds.portalUrl)}" title="Partner program" allow="clipboard-write"
      style="width: 100%; height: 720px; margin-top: 1rem; border: 1px solid #8886; border-radius: 12px"></iframe>`
      : '<h1>Partners</h1><p>You are not a partner yet.</p>',
  );
