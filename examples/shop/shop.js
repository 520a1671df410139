// A small shop, and everything that it does for its affiliate program: it keeps the click of a visitor until checkout, reports
// orders, renewals and refunds, and receives webhooks. Look for `affiliates.` to find these places.
import { createServer } from 'node:http';
import { createAffiliates } from './affiliates.js';
import { createOrders } from './orders.js';
import { eventsPage, orderPage, partnersPage, shopPage } from './pages.js';
import { findProduct } from './products.js';

/** The HTTP server of a shop. `client` is the client of the Tributary API, `userEmail` who is signed in to the shop. */
export function createShop({ client, webhookSecret, userEmail }) {
  const affiliates = createAffiliates({ client, webhookSecret });
  const orders = createOrders();

  const routes = {
    'GET /': ({ url }) => {
      const clickId = url.searchParams.get('trb_click');
      return { html: shopPage(), headers: clickId ? { 'set-cookie': affiliates.rememberClick(clickId) } : {} };
    },
    'GET /events': () => ({ html: eventsPage(affiliates.events) }),

    'GET /partners': async ({ headers }) => ({
      html: partnersPage(userEmail ? await affiliates.createEmbeds(userEmail, `http://${headers.host}`) : null),
      headers: { 'cache-control': 'no-store' },
    }),

    'POST /checkout': async ({ form, cookies }) => {
      const product = findProduct(form.get('product'));
      if (!product) return { status: 404, html: 'There is no such product.' };
      const order = orders.create({
        product,
        email: form.get('email'),
        coupon: form.get('coupon'),
        clickId: affiliates.readClick(cookies),
      });
      order.outcome = await affiliates.reportOrder(order);
      return { redirect: `/orders/${order.id}` };
    },
    'GET /orders/:id': ({ order }) => ({ html: orderPage(order) }),
    'POST /orders/:id/renew': async ({ order }) => {
      const renewal = orders.renew(order);
      renewal.outcome = await affiliates.reportOrder(renewal);
      return { redirect: `/orders/${renewal.id}` };
    },
    'POST /orders/:id/refund': async ({ order, form }) => {
      const refund = orders.refund(order, Number(form.get('amountCents')));
      await affiliates.reportRefund(order, refund);
      return { redirect: `/orders/${order.id}` };
    },

    'POST /webhooks': async ({ headers, body }) => ({ status: (await affiliates.receive(body, headers)) ? 204 : 400 }),
  };

  return createServer(async (request, response) => {
    const answer = await handle(routes, orders, request).catch((error) => {
      console.error(error);
      return { status: 500, html: 'The shop has a problem. Please try again.' };
    });
    const { status = answer.redirect ? 303 : 200, html = '', redirect, headers = {} } = answer;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...(redirect ? { location: redirect } : {}), ...headers });
    response.end(html);
  });
}

async function handle(routes, orders, request) {
  const url = new URL(request.url, 'http://shop');
  const [, section, id, action] = url.pathname.split('/');
  const isOrder = section === 'orders' && id;
  const route = routes[`${request.method} ${isOrder ? `/orders/:id${action ? `/${action}` : ''}` : url.pathname}`];
  const order = isOrder ? orders.find(id) : null;
  if (!route || (isOrder && !order)) return { status: 404, html: 'There is no such page.' };
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  return route({ url, order, body, form: new URLSearchParams(body), headers: request.headers, cookies: request.headers.cookie ?? '' });
}
