// Payloads in the documented form of WooCommerce's REST API, reduced to the fields of orders.

type Given = Record<string, unknown>;

/** Two products for 26.00, tax 1.95, shipping 10.00. */
export function wooOrder(given: Given = {}): Given {
  return {
    id: 727,
    parent_id: 0,
    number: '727',
    order_key: 'wc_order_58d2d042d1d',
    status: 'processing',
    currency: 'USD',
    date_created: '2026-03-01T11:58:00',
    date_created_gmt: '2026-03-01T11:58:00',
    date_paid_gmt: '2026-03-01T11:59:00',
    discount_total: '3.00',
    shipping_total: '10.00',
    cart_tax: '1.95',
    total: '37.95',
    total_tax: '1.95',
    prices_include_tax: false,
    customer_id: 26,
    billing: { first_name: 'John', email: 'john.doe@example.com', country: 'US' },
    payment_method: 'bacs',
    meta_data: [{ id: 13106, key: '_download_permissions_granted', value: 'yes' }],
    line_items: [
      {
        id: 315,
        name: 'Woo Single #1',
        product_id: 93,
        quantity: 2,
        subtotal: '8.00',
        total: '6.00',
        total_tax: '0.45',
        sku: '',
        price: 3,
      },
      {
        id: 316,
        name: 'Ship Your Idea',
        product_id: 22,
        quantity: 1,
        subtotal: '21.00',
        total: '20.00',
        total_tax: '1.50',
        sku: 'Bar3',
        price: 20,
      },
    ],
    shipping_lines: [{ id: 317, method_title: 'Flat Rate', total: '10.00' }],
    fee_lines: [],
    coupon_lines: [],
    refunds: [],
    ...given,
  };
}
