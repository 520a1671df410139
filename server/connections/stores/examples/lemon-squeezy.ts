// Events in Lemon Squeezy's documented form, reduced to the fields of orders, subscription invoices and their context.

type Given = Record<string, unknown>;

export function lemonSqueezyEvent(name: string, data: Given, customData: unknown = undefined): Given {
  const meta = { event_name: name, test_mode: false, webhook_id: '1f5a8a3c-8d3e-4f7b-9c61-0e2b6a5d4c3f' };
  return { meta: customData === undefined ? meta : { ...meta, custom_data: customData }, data };
}

/** A paid order: $19.98 less $4.98, and $1.50 tax. */
export function order(id: number, given: Given = {}): Given {
  return {
    type: 'orders',
    id: String(id),
    attributes: {
      store_id: 1,
      customer_id: 42,
      identifier: '104e18a2-d755-4d4b-80c4-a6c1dcbe1c10',
      order_number: 1,
      user_name: 'John Doe',
      user_email: 'johndoe@example.com',
      currency: 'USD',
      currency_rate: '1.0000',
      subtotal: 1998,
      setup_fee: 0,
      discount_total: 498,
      tax: 150,
      total: 1650,
      refunded_amount: 0,
      total_usd: 1650,
      tax_name: 'VAT',
      tax_rate: '10.00',
      tax_inclusive: false,
      status: 'paid',
      status_formatted: 'Paid',
      refunded: false,
      refunded_at: null,
      subtotal_formatted: '$19.98',
      total_formatted: '$16.50',
      first_order_item: {
        id: 1,
        order_id: id,
        product_id: 7,
        variant_id: 1,
        product_name: 'Test Limited License for 2 years',
        variant_name: 'Default',
        price: 999,
        quantity: 2,
        created_at: '2026-03-01T11:58:00.000000Z',
      },
      urls: { receipt: 'https://app.lemonsqueezy.com/my-orders/104e18a2' },
      created_at: '2026-03-01T11:58:00.000000Z',
      updated_at: '2026-03-01T11:58:00.000000Z',
      ...given,
    },
    relationships: { store: { links: { related: 'https://api.lemonsqueezy.com/v1/orders/1/store' } } },
    links: { self: 'https://api.lemonsqueezy.com/v1/orders/1' },
  };
}

/** A renewal for $9.99 with $0.99 tax included. */
export function subscriptionInvoice(id: number, given: Given = {}): Given {
  return {
    type: 'subscription-invoices',
    id: String(id),
    attributes: {
      store_id: 1,
      subscription_id: 9,
      customer_id: 42,
      user_name: 'John Doe',
      user_email: 'johndoe@example.com',
      billing_reason: 'renewal',
      card_brand: 'visa',
      card_last_four: '4242',
      currency: 'USD',
      currency_rate: '1.00000000',
      status: 'paid',
      status_formatted: 'Paid',
      refunded: false,
      refunded_at: null,
      subtotal: 900,
      discount_total: 0,
      tax: 99,
      tax_inclusive: true,
      total: 999,
      refunded_amount: 0,
      total_formatted: '$9.99',
      created_at: '2026-03-01T11:59:00.000000Z',
      updated_at: '2026-03-01T11:59:00.000000Z',
      ...given,
    },
    relationships: { subscription: { links: { related: 'https://api.lemonsqueezy.com/v1/subscription-invoices/1/subscription' } } },
  };
}
