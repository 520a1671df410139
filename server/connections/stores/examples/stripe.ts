// Events in Stripe's documented form, reduced to the fields of orders and their context.

type Given = Record<string, unknown>;

export function stripeEvent(id: string, type: string, object: Given, given: Given = {}): Given {
  const created = 1_772_359_200;
  return {
    id,
    object: 'event',
    api_version: '2025-03-31.basil',
    created,
    livemode: true,
    pending_webhooks: 1,
    type,
    data: { object },
    ...given,
  };
}

/** A one-off checkout: $20.00 goods, $5.00 off, $1.50 tax, $3.50 shipping. */
export function session(given: Given = {}): Given {
  return {
    id: 'cs_live_a11',
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    status: 'complete',
    created: 1_772_359_100,
    currency: 'usd',
    amount_subtotal: 2000,
    amount_total: 2000,
    total_details: { amount_discount: 500, amount_shipping: 350, amount_tax: 150 },
    client_reference_id: null,
    metadata: {},
    customer: 'cus_9s6XKzkNRiz8i3',
    invoice: null,
    subscription: null,
    customer_details: { email: 'jenny.rosen@example.com', name: 'Jenny Rosen', address: { country: 'US', postal_code: '94107' } },
    payment_intent: 'pi_1EUmyo2x6R10KRrhUuJXu9m0',
    discounts: [],
    payment_method_types: ['card'],
    shipping_cost: null,
    ...given,
  };
}

/** A paid invoice of a subscription in API versions since 2025: without a payment, and with the subscription below `parent`. */
export function invoice(given: Given = {}): Given {
  return {
    id: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
    object: 'invoice',
    currency: 'usd',
    amount_due: 3300,
    amount_paid: 3300,
    amount_remaining: 0,
    subtotal: 3000,
    total: 3300,
    total_excluding_tax: 3000,
    total_taxes: [{ amount: 300, tax_behavior: 'exclusive' }],
    billing_reason: 'subscription_cycle',
    created: 1_772_359_000,
    customer: 'cus_9s6XKzkNRiz8i3',
    customer_email: 'jenny.rosen@example.com',
    customer_address: null,
    discounts: [],
    metadata: {},
    shipping_cost: null,
    status: 'paid',
    parent: { type: 'subscription_details', subscription_details: { metadata: {}, subscription: 'sub_1MtHbELkdIwHu7ix' } },
    status_transitions: { finalized_at: 1_772_359_010, paid_at: 1_772_359_050 },
    lines: {
      object: 'list',
      data: [{ id: 'il_1', amount: 3000, currency: 'usd', description: '1 × Tea club', quantity: 1 }],
      has_more: false,
    },
    ...given,
  };
}

export function charge(given: Given = {}): Given {
  return {
    id: 'ch_3MmlLrLkdIwHu7ix0snN0B15',
    object: 'charge',
    amount: 2000,
    amount_captured: 2000,
    amount_refunded: 0,
    captured: true,
    currency: 'usd',
    customer: 'cus_9s6XKzkNRiz8i3',
    payment_intent: 'pi_1EUmyo2x6R10KRrhUuJXu9m0',
    refunded: false,
    status: 'succeeded',
    ...given,
  };
}

export function dispute(given: Given = {}): Given {
  return {
    id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
    object: 'dispute',
    amount: 2000,
    charge: 'ch_3MmlLrLkdIwHu7ix0snN0B15',
    currency: 'usd',
    payment_intent: 'pi_1EUmyo2x6R10KRrhUuJXu9m0',
    reason: 'fraudulent',
    status: 'needs_response',
    evidence_details: { due_by: 1_773_000_000 },
    ...given,
  };
}
