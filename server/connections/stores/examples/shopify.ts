// Payloads in Shopify's documented form, reduced to the fields of orders and their context.

type Given = Record<string, unknown>;

const lineItems = [
  {
    id: 866550311766439,
    product_id: 788032119674292,
    variant_id: null,
    sku: 'SKU2006-001',
    title: 'IPod Nano - 8GB',
    quantity: 2,
    price: '99.50',
    total_discount: '0.00',
    discount_allocations: [{ amount: '2.50' }],
    tax_lines: [{ price: '10.00', rate: 0.05 }],
  },
  {
    id: 141249953214522,
    product_id: 632910392,
    variant_id: null,
    sku: 'SKU2006-020',
    title: 'IPod Nano - 16GB',
    quantity: 1,
    price: '199.00',
    total_discount: '0.00',
    discount_allocations: [{ amount: '2.50' }],
    tax_lines: [{ price: '10.00', rate: 0.05 }],
  },
];

/** Two products, $5.00 off with a code, tax on top, $10.00 shipping. */
export function shopifyOrder(given: Given = {}): Given {
  return {
    id: 820982911946154,
    admin_graphql_api_id: 'gid://shopify/Order/820982911946154',
    name: '#9999',
    order_number: 1234,
    test: false,
    email: 'jon@example.com',
    currency: 'USD',
    presentment_currency: 'USD',
    financial_status: 'paid',
    fulfillment_status: null,
    created_at: '2026-03-01T06:58:00-05:00',
    processed_at: '2026-03-01T06:58:00-05:00',
    cancelled_at: null,
    cancel_reason: null,
    subtotal_price: '393.00',
    current_subtotal_price: '393.00',
    total_line_items_price: '398.00',
    total_discounts: '5.00',
    total_tax: '20.00',
    taxes_included: false,
    total_price: '423.00',
    landing_site: null,
    referring_site: null,
    note_attributes: [],
    total_shipping_price_set: { shop_money: { amount: '10.00', currency_code: 'USD' } },
    customer: {
      id: 115310627314723,
      email: 'john@example.com',
      first_name: 'John',
      last_name: 'Smith',
      default_address: { country_code: 'CA' },
    },
    shipping_address: { first_name: 'Steve', country_code: 'US', province_code: 'CA' },
    discount_codes: [],
    line_items: lineItems,
    refunds: [],
    ...given,
  };
}

/** One unit of the first item is refunded. */
export function shopifyRefund(given: Given = {}): Given {
  return {
    id: 890088186047892,
    order_id: 820982911946154,
    created_at: '2026-03-02T10:00:00-05:00',
    note: 'Things were damaged',
    restock: false,
    refund_line_items: [{ id: 866550311766439, line_item_id: 866550311766439, quantity: 1, subtotal: 98.25, total_tax: 5.0 }],
    transactions: [
      { id: 245135271310201, kind: 'refund', status: 'success', amount: '103.25', currency: 'USD', order_id: 820982911946154 },
    ],
    order_adjustments: [],
    ...given,
  };
}
