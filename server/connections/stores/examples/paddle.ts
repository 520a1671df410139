// Events in Paddle Billing's documented form, reduced to the fields of transactions, adjustments and their context.

type Given = Record<string, unknown>;

export function paddleEvent(id: string, type: string, data: Given): Given {
  return { event_id: id, event_type: type, occurred_at: '2026-03-01T10:18:50.155553Z', notification_id: `ntf_${id}`, data };
}

/** Ten seats at $30.00 less $30.00, an addon of $100.00 and a one-time addon of $199.00: $569.00 net, tax $50.49. */
export function transaction(given: Given = {}): Given {
  return {
    id: 'txn_01hv8wptq8987qeep44cyrewp9',
    items: [{ price: { id: 'pri_01gsz8x8sawmvhz1pv30nge1ke', tax_mode: 'account_setting' }, quantity: 10, proration: null }],
    origin: 'web',
    status: 'completed',
    details: {
      totals: {
        fee: '3311',
        tax: '5049',
        total: '61949',
        credit: '0',
        balance: '0',
        discount: '3000',
        earnings: '53589',
        subtotal: '59900',
        grand_total: '61949',
        currency_code: 'USD',
        credit_to_balance: '0',
      },
      tax_rates_used: [{ totals: { tax: '5049', total: '61949', discount: '3000', subtotal: '59900' }, tax_rate: '0.08873' }],
      payout_totals: { tax: '5049', total: '61949', currency_code: 'USD' },
      adjusted_totals: { tax: '5049', total: '61949', currency_code: 'USD' },
      line_items: [
        lineItem('txnitm_01hv8wt98jahpbm1t1tzr06z6n', 'pro_01gsz4t5hdjse780zja8vvr7jg', 10, ['30000', '3000', '2396', '29396']),
        lineItem('txnitm_01hv8wt98jahpbm1t1v1sd067y', 'pro_01h1vjes1y163xfj1rh1tkfb65', 1, ['10000', '0', '887', '10887']),
        lineItem('txnitm_01hv8wt98jahpbm1t1v67vqnb6', 'pro_01gsz97mq9pa4fkyy0wqenepkz', 1, ['19900', '0', '1766', '21666']),
      ],
    },
    checkout: { url: 'https://magnificent.example/checkout/?_ptxn=txn_01hv8wptq8987qeep44cyrewp9' },
    payments: [{ amount: '61949', status: 'captured', error_code: null, method_details: { type: 'card' } }],
    billed_at: '2026-03-01T10:12:33.216023Z',
    address_id: 'add_01hv8gq3318ktkfengj2r75gfx',
    created_at: '2026-03-01T10:12:33.216023Z',
    invoice_id: 'inv_01hv8x29nsh54c2pgt0hnq0zkx',
    updated_at: '2026-03-01T10:18:49.738972Z',
    business_id: null,
    custom_data: null,
    customer_id: 'ctm_01hv6y1jedq4p1n0yqn5ba3ky4',
    discount_id: null,
    currency_code: 'USD',
    billing_period: { ends_at: '2026-04-01T10:18:47.635628Z', starts_at: '2026-03-01T10:18:47.635628Z' },
    invoice_number: '325-10566',
    collection_mode: 'automatic',
    subscription_id: null,
    ...given,
  };
}

function lineItem(id: string, productId: string, quantity: number, [subtotal, discount, tax, total]: readonly string[]): Given {
  return {
    id,
    totals: { tax, total, discount, subtotal },
    product: { id: productId, name: 'AeroEdit Pro', type: 'standard', tax_category: 'standard', status: 'active' },
    price_id: 'pri_01gsz8x8sawmvhz1pv30nge1ke',
    quantity,
    tax_rate: '0.08873',
    unit_totals: { tax: '266', total: '3266', discount: '0', subtotal: '3000' },
  };
}

/** A refund that Paddle has approved: $100.00 net of the addon, with its tax. */
export function adjustment(given: Given = {}): Given {
  return {
    id: 'adj_01hvgf2s84dr6reszzg29zbvcm',
    items: [
      {
        id: 'adjitm_01hvgf2s84dr6reszzg2gx70gj',
        type: 'full',
        amount: '10887',
        totals: { tax: '887', total: '10887', subtotal: '10000' },
        item_id: 'txnitm_01hv8wt98jahpbm1t1v1sd067y',
        proration: null,
      },
    ],
    action: 'refund',
    type: 'partial',
    reason: 'error',
    status: 'approved',
    totals: { fee: '544', tax: '887', total: '10887', earnings: '9456', subtotal: '10000', currency_code: 'USD' },
    created_at: '2026-03-02T08:55:51.433Z',
    updated_at: '2026-03-02T08:55:51.433Z',
    customer_id: 'ctm_01hv6y1jedq4p1n0yqn5ba3ky4',
    currency_code: 'USD',
    payout_totals: { fee: '544', tax: '887', total: '10887', currency_code: 'USD' },
    transaction_id: 'txn_01hv8wptq8987qeep44cyrewp9',
    subscription_id: null,
    credit_applied_to_balance: null,
    ...given,
  };
}
