// Where an affiliate wants to be paid, set by the affiliate. The methods are those that the program pays with.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { canPayIn, getRailType } from '../../connections/rails/index.ts';
import type { Method } from '../../connections/rails/rail.ts';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { countOut, currencyOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import type { AffiliatePrincipal } from '../../platform/http/declaration/principal.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { PayoutDestination, PayoutMethod } from './destination.ts';
import { findPayoutDetails, type PayoutDetailsRow } from './payout-details.ts';
import { removeDestination, storeDestination, waitHours } from './store.ts';
import { PayoutDetailsChange, payoutDetailsMissing, storePayoutCurrency } from './store-currency.ts';

/** Applicants can prepare it. A suspended affiliate, and one who left, is still paid what was earned. */
const statuses = ['pending', 'active', 'suspended', 'archived'] as const;

/** The methods of manual payments, without a provider. */
const manualMethods: readonly Method[] = ['paypal', 'bank'];

const PortalPayoutDetails = z
  .object({
    method: PayoutMethod.nullable().describe('Null if no payout details are set.'),
    effectiveAt: timestampOut.nullable().describe('Payouts are on hold until this time.'),
    updatedAt: timestampOut.nullable(),
    methods: z.array(PayoutMethod).describe('The methods that the program pays with.'),
    payoutCurrency: currencyOut.nullable().describe('The other currency in which the affiliate is paid; null: that of the program.'),
    payoutCurrencies: z.array(currencyOut).describe('The other currencies that can be chosen.'),
    currency: currencyOut,
    waitHours: countOut.describe('How long a change waits until it is used.'),
  })
  .meta({
    id: 'PortalPayoutDetails',
    example: {
      method: 'paypal',
      effectiveAt: '2026-11-23T10:00:00.000Z',
      updatedAt: '2026-11-20T10:00:00.000Z',
      methods: ['paypal', 'bank'],
      payoutCurrency: null,
      payoutCurrencies: ['EUR'],
      currency: 'USD',
      waitHours,
    },
  });

export const getPortalPayoutDetails = endpoint({
  id: 'portal.payoutDetails',
  route: 'GET /app/portal/:programId/payout-details',
  scope: 'affiliate',
  affiliateStatuses: statuses,
  tag: 'Portal',
  summary: "Get the affiliate's payout details",
  description: 'Returns the payout method only; account identifiers are never returned.',
  statuses: [200],
  result: PortalPayoutDetails,
  async handle(ctx, { actor }) {
    const row = await findPayoutDetails(ctx, actor.programId, actor.affiliateId);
    return toPortalDetails(actor, await readChoices(ctx, actor.programId), row);
  },
});

export const setPortalPayoutDetails = endpoint({
  id: 'portal.setPayoutDetails',
  route: 'POST /app/portal/:programId/payout-details',
  scope: 'affiliate',
  affiliateStatuses: statuses,
  isSensitive: true,
  tag: 'Portal',
  summary: "Set the affiliate's payout details",
  description:
    `The first destination is used immediately, and a change ${waitHours} hours later. Both are announced by email to the ` +
    'affiliate, and a change to the former PayPal address. The destination is encrypted and never returned.',
  body: PayoutDestination,
  statuses: [201, 200],
  outcomes: { 200: 'The payout details were changed, or were already the same.' },
  result: PortalPayoutDetails,
  handle: (ctx, { actor, body: destination }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      const choices = await readChoices(tx, programId);
      const { methods } = choices;
      if (!methods.includes(destination.method))
        throw new Invalid([{ path: ['method'], message: `must be one of: ${methods.join(', ')}` }]);
      const { row, isNew } = await storeDestination(tx, { programId, actor, affiliateId }, destination);
      return new Reply(isNew ? 201 : 200, toPortalDetails(actor, choices, row));
    }),
});

export const deletePortalPayoutDetails = endpoint({
  id: 'portal.deletePayoutDetails',
  route: 'DELETE /app/portal/:programId/payout-details',
  scope: 'affiliate',
  affiliateStatuses: statuses,
  isSensitive: true,
  tag: 'Portal',
  summary: "Delete the affiliate's payout details",
  description:
    'The affiliate is not paid until new details are set, which counts as a change. The removal is announced by email to the ' +
    'affiliate and to the former PayPal address.',
  statuses: [200],
  result: PortalPayoutDetails,
  handle: (ctx, { actor }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      await removeDestination(tx, { programId, actor, affiliateId });
      return toPortalDetails(actor, await readChoices(tx, programId), undefined);
    }),
});

export const updatePortalPayoutDetails = endpoint({
  id: 'portal.updatePayoutDetails',
  route: 'PATCH /app/portal/:programId/payout-details',
  scope: 'affiliate',
  affiliateStatuses: statuses,
  isSensitive: true,
  tag: 'Portal',
  summary: 'Change the currency in which the affiliate is paid',
  description:
    'It applies to payouts that are created from now on. A bank account can only be paid in its currency, or in that of the program.',
  body: z.object(PayoutDetailsChange).meta({ id: 'PortalPayoutDetailsUpdate', example: { payoutCurrency: 'EUR' } }),
  statuses: [200],
  result: PortalPayoutDetails,
  errors: [payoutDetailsMissing],
  handle: (ctx, { actor, body: { payoutCurrency } }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      const choices = await readChoices(tx, programId);
      const row = await storePayoutCurrency(tx, { programId, actor, affiliateId, allowed: choices.payoutCurrencies }, payoutCurrency);
      return toPortalDetails(actor, choices, row);
    }),
});

type Choices = { methods: readonly Method[]; payoutCurrencies: readonly string[] };

/** Those of the program's default payout provider; without one, payments are manual. */
async function readChoices(ctx: Pick<Context, 'db'> | Tx, programId: string): Promise<Choices> {
  const { payoutCurrencies } = await getProgram(ctx, programId);
  const provider = await ctx.db
    .selectFrom('providers')
    .select(['type', 'currencies'])
    .where('programId', '=', programId)
    .where('kind', '=', 'payout')
    .where('isDefault', '=', true)
    .where('status', '<>', 'archived')
    .executeTakeFirst();
  if (!provider) return { methods: manualMethods, payoutCurrencies };
  const rail = getRailType(provider.type);
  const methods = rail.type === 'manual' ? manualMethods : rail.methods;
  return { methods, payoutCurrencies: payoutCurrencies.filter((code) => canPayIn(provider, code)) };
}

function toPortalDetails(
  { currency }: AffiliatePrincipal,
  { methods, payoutCurrencies }: Choices,
  row: PayoutDetailsRow | undefined,
): z.input<typeof PortalPayoutDetails> {
  const state = { methods: [...methods], payoutCurrencies: [...payoutCurrencies], currency, waitHours };
  if (!row) return Object.assign(state, { method: null, payoutCurrency: null, effectiveAt: null, updatedAt: null });
  const { method, payoutCurrency, usableFrom, updatedAt } = row;
  const dates = { effectiveAt: usableFrom.toISOString(), updatedAt: updatedAt.toISOString() };
  return { ...state, method: PayoutMethod.parse(method), payoutCurrency, ...dates };
}
