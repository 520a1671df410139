// The events of customers and leads. Each announces the object as the API returns it, after the change.
import { defineEvent } from '../../messaging/events/define.ts';
import { CustomerShape } from './customer.ts';
import { LeadShape } from './lead.ts';

const object = 'customer';
const data = CustomerShape;

export const customerBound = defineEvent({
  type: 'customer.bound',
  object,
  data,
  summary: 'A customer was bound to an affiliate by a lead or a member. A first order also binds; `conversion.created` announces it.',
  previous: { affiliateId: null },
});
export const customerUnbound = defineEvent({
  type: 'customer.unbound',
  object,
  data,
  summary: 'A customer is no longer bound to an affiliate. Only later orders are concerned.',
  previous: { affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f' },
});

export const leadCreated = defineEvent({
  type: 'lead.created',
  object: 'lead',
  isCreation: true,
  data: LeadShape,
  summary: 'A lead was recorded and credited to an affiliate.',
});
export const leadRejected = defineEvent({
  type: 'lead.rejected',
  object: 'lead',
  data: LeadShape,
  summary: 'A lead was rejected: its commissions are reversed, and it no longer binds its customer.',
  previous: { status: 'recorded' },
});
