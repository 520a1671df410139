import type { Outcome, Rail, RailType } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import type { Payout } from '../payout.ts';
import { toPayment } from './to-payment.ts';

/**
 * Sends the payment of a claimed payout. The outcome is unknown when the call throws, or when a repeated request is rejected by
 * a provider that may have rejected only the repetition.
 */
export async function callProvider(ctx: Context, payout: Payout, { rail, type }: { rail: Rail; type: RailType }): Promise<Outcome> {
  try {
    const response = await rail.send(toPayment(ctx, payout));
    const isUnclear = response.outcome === 'failed' && payout.attempts > 1 && !type.isRepeatedRejectionFinal;
    return isUnclear ? { outcome: 'unknown', reason: `rejected when it was sent again: ${response.code}` } : response;
  } catch (error) {
    ctx.log.error({ err: error, payoutId: payout.id }, 'failed to call the payout provider');
    return { outcome: 'unknown', reason: 'the call failed unexpectedly' };
  }
}
