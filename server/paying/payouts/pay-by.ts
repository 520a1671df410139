// By which way a dispatch pays: the provider that was named, the program's default, or by hand where there is none.

import { getProgram } from '../../accounts/programs/program.ts';
import { getRailType } from '../../connections/rails/index.ts';
import type { Method } from '../../connections/rails/rail.ts';
import type { Context } from '../../context.ts';
import { Invalid, NotFound } from '../../platform/lib/errors.ts';

export type PayBy = {
  providerId: string | null;
  rail: string;
  currency: string;
  /** The ways in which it can pay; empty where a person pays, who needs none. */
  methods: readonly Method[];
  isAutomatic: boolean;
};

/** Throws NotFound for a foreign provider, and Invalid for one that can't pay. */
export async function payBy(ctx: Pick<Context, 'db'>, programId: string, providerId: string | undefined): Promise<PayBy> {
  const { currency } = await getProgram(ctx, programId);
  const providers = ctx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('status', '<>', 'archived');
  const named = providerId ? providers.where('id', '=', providerId) : providers.where('kind', '=', 'payout').where('isDefault', '=', true);
  // Whoever archives it waits for us, and then finds the batch that we made.
  const provider = await named.forKeyShare().executeTakeFirst();
  if (!provider && providerId) throw new NotFound('providerId');
  if (!provider) return { providerId: null, rail: 'manual', currency, methods: [], isAutomatic: false };
  const fault = (message: string) => new Invalid([{ path: ['providerId'], message }]);
  if (provider.kind !== 'payout') throw fault('must be a payout provider');
  if (provider.status === 'disabled') throw fault(`names the provider "${provider.name}", which is disabled`);
  if (provider.currencies.length > 0 && !provider.currencies.includes(currency))
    throw fault(`names a provider that doesn’t pay in ${currency}`);
  const type = getRailType(provider.type);
  return {
    providerId: provider.id,
    rail: type.type,
    currency,
    methods: type.type === 'manual' ? [] : type.methods,
    isAutomatic: type.isAutomatic,
  };
}
