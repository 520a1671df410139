// Changing the affiliate that a customer is bound to. Only later orders are concerned: what was credited stays.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { line, uuid } from '../../platform/http/declaration/fields.ts';
import { openLedger } from '../ledger/post.ts';
import { type CustomerShape, customerSlot, readCustomers } from './customer.ts';
import { CustomerDetail, readCustomerDetail } from './get.ts';
import { type BindingChange, changeBindings } from './store.ts';

export const updateCustomer = endpoint({
  id: 'customers.update',
  route: 'PATCH /v1/programs/:programId/customers/:id',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Customers',
  summary: 'Change the affiliate of a customer',
  description:
    'Binds the customer to another affiliate or, with `affiliateId: null`, to none. Only later orders are concerned. An order of a ' +
    'customer who is not bound binds them again, to the affiliate that it is credited to. Sending the present affiliate has no effect.',
  path: { id: customerSlot },
  body: z
    .object({
      affiliateId: uuid.nullable().describe('The affiliate; null ends the binding.'),
      note: line(500).describe('The reason for the change.'),
    })
    .meta({ id: 'CustomerUpdate', example: { affiliateId: null, note: 'The customer asked not to be assigned' } }),
  statuses: [200],
  result: CustomerDetail,
  errors: [{ status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' }],
  async handle(tx, { actor, params: { id }, body }) {
    const { programId } = actor;
    await openLedger(tx, programId);
    if (body.affiliateId) await requireRow(tx, { table: 'affiliates', programId, id: body.affiliateId, field: 'affiliateId' });
    const [customer] = await readCustomers(tx, programId, [id]);
    if (!customer) throw new Error('The customer was found before and is missing now.');
    if (customer.affiliateId !== body.affiliateId) await changeAffiliate(tx, actor, customer, body);
    return readCustomerDetail(tx, actor, id);
  },
});

type Wanted = { affiliateId: string | null; note: string };

async function changeAffiliate(tx: Tx, actor: Principal, customer: z.input<typeof CustomerShape>, { affiliateId, note }: Wanted) {
  const { programId } = actor;
  const previousAffiliateId = customer.affiliateId;
  const binding = { source: 'member', method: null, boundAt: tx.clock.now(), note, actor } as const;
  const customers = tx.db.selectFrom('customers').select('changes').where('programId', '=', programId);
  const { changes } = await customers.where('id', '=', customer.id).executeTakeFirstOrThrow();
  const change: BindingChange = { customerId: customer.id, step: changes + 1, affiliateId, previousAffiliateId, ...binding };
  await changeBindings(tx, programId, [change]);
  await recordChange(tx, {
    programId,
    actor,
    action: affiliateId === null ? 'customer.unbound' : 'customer.bound',
    subjectId: customer.id,
    before: { affiliateId: previousAffiliateId },
    after: { affiliateId, note },
  });
}
