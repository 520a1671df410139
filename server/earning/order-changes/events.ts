// The events of orders that were moved, increased or cancelled. Each announces the order as the API returns it afterwards.
import { defineEvent } from '../../messaging/events/define.ts';
import { ConversionShape } from '../orders/conversion-shape.ts';

const object = 'conversion';
const data = ConversionShape;

export const conversionMoved = defineEvent({
  type: 'conversion.moved',
  object,
  data,
  summary: 'An order was moved to another affiliate, whose commissions replace those of the one before.',
  previous: { affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f' },
});
export const conversionIncreased = defineEvent({
  type: 'conversion.increased',
  object,
  data,
  summary: 'An amount was added to an order, with its own commissions.',
  previous: { amountCents: 3980 },
});
export const conversionCancelled = defineEvent({
  type: 'conversion.cancelled',
  object,
  data,
  summary: 'An order was cancelled: the rest of it was refunded, and all of its commissions were reversed.',
  previous: { refundedCents: 0 },
});
