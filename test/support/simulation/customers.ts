// Random leads, and the customers that they bind: orders that only name a customer, members who change a binding, and
// leads that are rejected. Each outcome is compared with what the model expects.
import assert from 'node:assert/strict';
import { ReportedOrder } from '../../../server/earning/conversions/order.ts';
import { recordOrders } from '../../../server/earning/conversions/recording/record.ts';
import { updateCustomer } from '../../../server/earning/customers/update.ts';
import { rejectReportedLead } from '../../../server/earning/leads/reject.ts';
import { reportLead } from '../../../server/earning/leads/report.ts';
import { call, type Step, type World, within } from './call.ts';
import { bindInModel, rejectInModel } from './model.ts';

export const customerSteps: [weight: number, name: string, step: Step][] = [
  [7, 'lead', lead],
  [7, 'order of a customer', orderOfCustomer],
  [3, 'bind or unbind', changeBinding],
  [2, 'reject a lead', rejectLead],
];

const customers = 8;

/** Whom an order or lead of the customer is credited to: the affiliate it names, or the one the customer is bound to, if active. */
async function findExpected({ ctx, actor, model }: World, customer: string, named: string | undefined): Promise<string | null> {
  const isActive = async (id: string) => {
    const affiliates = ctx.db.selectFrom('affiliates').select('status').where('programId', '=', actor.programId);
    return (await affiliates.where('id', '=', id).executeTakeFirstOrThrow()).status === 'active';
  };
  const credited = named ?? model.customers.get(customer)?.bound?.affiliateId;
  return credited && (await isActive(credited)) ? credited : null;
}

async function lead(world: World): Promise<void> {
  const { chance, model, affiliates } = world;
  world.serial += 1;
  const number = chance.number(customers);
  const customer = `l-${number}`;
  const affiliateId = chance.happens(70) ? chance.pick(affiliates) : undefined;
  // An address of an affiliate, which opens an alert.
  const email = chance.happens(25) ? `p${chance.number(6)}+${customer}@example.com` : undefined;
  const expected = await findExpected(world, customer, affiliateId);
  const body = { externalId: `s-${world.serial}`, customer: { externalId: customer, email }, affiliateId };
  const recorded = await call(world, reportLead, { body });
  assert.equal(recorded.affiliateId, expected, 'a lead is credited as the model expects');
  model.leads.set(recorded.id, { customer, affiliateId: recorded.affiliateId, isRejected: false });
  const known = model.customers.get(customer);
  if (!known) model.customers.set(customer, { id: recorded.customerId, bound: null });
  else assert.equal(recorded.customerId, known.id);
  bindInModel(model, customer, { affiliateId: recorded.affiliateId, leadId: recorded.id });
  world.commissions.push(...recorded.commissions.map(({ id }: { id: string }) => id));
  const events = await world.ctx.db.selectFrom('fraudEvents').select('id').where('programId', '=', world.actor.programId).execute();
  world.fraudEvents = events.map(({ id }) => id).sort();
}

function pickCustomer({ chance, model }: World): string | undefined {
  const names = [...model.customers.keys()];
  return names.length === 0 ? undefined : chance.pick(names);
}

async function orderOfCustomer(world: World): Promise<void> {
  const { chance, model, affiliates } = world;
  const externalId = pickCustomer(world);
  if (!externalId) return;
  world.serial += 1;
  const affiliateId = chance.happens(25) ? chance.pick(affiliates) : undefined;
  const amountCents = 1 + chance.number(20_000);
  const order = ReportedOrder.parse({ orderId: `o-${world.serial}`, amountCents, affiliateId, customer: { externalId } });
  const expected = await findExpected(world, externalId, affiliateId);
  const actor = { kind: 'command' as const, id: 'simulation' };
  const [outcome] = await within(world, (tx) => recordOrders(tx, world.actor.programId, [{ order, actor }]));
  assert.equal(outcome?.kind === 'credited' ? outcome.conversion.affiliateId : null, expected, 'an order is credited as the model expects');
  if (outcome?.kind !== 'credited') return;
  const { id, affiliateId: credited, commissions } = outcome.conversion;
  model.orders.set(id, { affiliateId: credited, amountCents });
  bindInModel(model, externalId, { affiliateId: credited, leadId: null });
  world.orders.push(order.orderId);
  world.commissions.push(...commissions.map((one) => one.id));
}

async function changeBinding(world: World): Promise<void> {
  const { chance, model } = world;
  const customer = model.customers.get(pickCustomer(world) ?? '');
  if (!customer) return;
  const affiliateId = chance.happens(50) ? chance.pick(world.affiliates) : null;
  await call(world, updateCustomer, { params: { id: customer.id }, body: { affiliateId, note: 'simulated' } });
  if (affiliateId !== (customer.bound?.affiliateId ?? null)) customer.bound = affiliateId === null ? null : { affiliateId, leadId: null };
}

async function rejectLead(world: World): Promise<void> {
  const ids = [...world.model.leads.keys()];
  if (ids.length === 0) return;
  const id = world.chance.pick(ids);
  await call(world, rejectReportedLead, { params: { id }, body: {} });
  assert.equal(world.model.leads.get(id)?.isRejected, false, 'a lead is rejected once');
  rejectInModel(world.model, id);
}
