// Chooses how a dispatch pays: the provider in the request, the program's default provider, or manually without one.
import { getProgram } from '../../accounts/programs/program.ts';
import { canPayIn, getRailType } from '../../connections/rails/index.ts';
import type { Method } from '../../connections/rails/rail.ts';
import type { Context } from '../../context.ts';
import { isAhead } from '../../platform/lib/clock.ts';
import { Invalid, NotFound } from '../../platform/lib/errors.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';

export type ChosenProvider = {
  /** Null: paid manually, without a provider. */
  providerId: string | null;
  type: string;
  currency: string;
  /** The other currencies that affiliates can choose and it can pay in. */
  payoutCurrencies: readonly string[];
  /** The day whose exchange rates apply, in the time zone of the program. */
  today: string;
  /** The payout methods it supports; empty for manual payments, which need none. */
  methods: readonly Method[];
  isAutomatic: boolean;
};

/** Throws NotFound for a provider of another program, and Invalid for one that can't pay. */
export async function chooseProvider(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  providerId: string | undefined,
): Promise<ChosenProvider> {
  const { currency, timezone, payoutCurrencies } = await getProgram(ctx, programId);
  const today = localDate(ctx.clock.now(), timezone);
  const providers = ctx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('status', '<>', 'archived');
  const chosen = providerId ? providers.where('id', '=', providerId) : providers.where('kind', '=', 'payout').where('isDefault', '=', true);
  // Archiving waits for this lock and then finds the new batch.
  const provider = await chosen.forKeyShare().executeTakeFirst();
  if (!provider && providerId) throw new NotFound('providerId');
  if (!provider) return { providerId: null, type: 'manual', currency, payoutCurrencies, today, methods: [], isAutomatic: false };
  const reject = (message: string) => new Invalid([{ path: ['providerId'], message }]);
  if (provider.kind !== 'payout') throw reject('must be a payout provider');
  if (provider.status === 'disabled') throw reject(`must be an enabled provider; "${provider.name}" is disabled`);
  if (provider.currencies.length > 0 && !provider.currencies.includes(currency))
    throw reject(`must be a provider that pays in ${currency}`);
  const type = getRailType(provider.type);
  if (isAhead(ctx.clock) && type.isAutomatic && !type.followsProgramClock)
    throw reject('must be a simulated provider or pay manually: the test clock of the program was advanced');
  return {
    providerId: provider.id,
    type: type.type,
    currency,
    payoutCurrencies: payoutCurrencies.filter((code) => canPayIn(provider, code)),
    today,
    methods: type.type === 'manual' ? [] : type.methods,
    isAutomatic: type.isAutomatic,
  };
}
