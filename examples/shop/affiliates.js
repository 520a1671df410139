// The affiliate program of the shop: what it keeps about a visit, what it reports, and the webhooks that it receives.
import { WebhookVerificationError, webhooks } from '@tributary/client';

const thirtyDays = 30 * 24 * 60 * 60;

export function createAffiliates({ client, webhookSecret }) {
  const events = [];
  const received = new Set();
  return {
    /** The events that arrived, the newest first. */
    events,

    /** A link of an affiliate leads to the shop with the id of the click. A cookie of the shop itself keeps it until checkout. */
    rememberClick: (clickId) => `click=${encodeURIComponent(clickId)}; Path=/; Max-Age=${thirtyDays}; HttpOnly; SameSite=Lax`,
    readClick: (cookies) => {
      const value = /(?:^|; )click=([^;]+)/.exec(cookies)?.[1];
      return value ? decodeURIComponent(value) : null;
    },

    /** Reports an order once it is paid. Reporting it again credits nothing, so a shop can repeat what failed. */
    async reportOrder(order) {
      const outcome = await client.conversions.report({
        orderId: order.id,
        amountCents: order.amountCents,
        clickId: order.clickId,
        couponCode: order.coupon || null,
        customer: { externalId: order.customerId, email: order.email },
        subscription: order.subscription,
        items: [{ sku: order.product.id, quantity: 1, amountCents: order.amountCents }],
      });
      if (outcome.ok) return { commissionCents: outcome.data.commissionCents };
      // 422: there is no affiliate to credit. 409: the order was reported before.
      return { commissionCents: 0, reason: outcome.code };
    },

    async reportRefund(order, refund) {
      await client.refunds.report({ refundId: refund.id, orderId: order.id, amountCents: refund.amountCents });
    },

    /** What a user sees of their own account as an affiliate, in pages of `origin`; null for users who are none. */
    async createEmbeds(email, origin) {
      for await (const { id } of client.affiliates.list({ email, status: ['active'] })) {
        const portal = await client.embedTokens.create(id, { kind: 'portal', origin, theme: { accent: '#2F6B4F' } });
        const widget = await client.embedTokens.create(id, { kind: 'widget', origin, theme: { accent: '#2F6B4F' } });
        return { portalUrl: portal.url, widgetUrl: widget.url, widgetToken: widget.token };
      }
      return null;
    },

    /** Returns false for a delivery that is not from Tributary. The same event can arrive twice. */
    async receive(body, headers) {
      try {
        const event = await webhooks.verify(body, headers, webhookSecret);
        if (!received.has(event.id)) events.unshift(event);
        received.add(event.id);
        return true;
      } catch (error) {
        if (error instanceof WebhookVerificationError) return false;
        throw error;
      }
    },
  };
}
