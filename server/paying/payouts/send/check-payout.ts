// Looks a payout with an unknown outcome up at its provider, and resends it only if that is safe.
import type { Provider } from '../../../connections/providers/provider.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import type { LookUpOutcome, Rail } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { isFrozen } from '../../../platform/freeze/freeze.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { applyResponses } from '../apply-responses.ts';
import { findLock } from '../lock.ts';
import type { Payout } from '../payout.ts';
import { callProvider } from './call-provider.ts';
import { claimUnknown } from './claim.ts';
import { toPayment } from './to-payment.ts';

const hourMs = 3_600_000;
/** Clocks differ and calls take time, so idempotency keys are trusted two hours less than the provider promises. */
const keyMarginHours = 2;

type Check = { provider: Provider; rail: Rail /** Who requested the check. */; actor: Actor };

/**
 * Looks a payout up at the provider and applies the response. A payment that the provider doesn't know is sent again under the
 * same idempotency key, as long as the provider certainly remembers the key. After that a person decides.
 */
export async function checkPayout(ctx: Context, payout: Payout, { provider, rail, actor }: Check): Promise<LookUpOutcome['outcome']> {
  const found = await rail.lookUp(toPayment(ctx, payout), payout.providerReference).catch((error: unknown): LookUpOutcome => {
    ctx.log.error({ err: error, payoutId: payout.id }, 'failed to look a payout up');
    return { outcome: 'unknown', reason: 'the lookup failed' };
  });
  const { programId, id: payoutId } = payout;
  const responder: Actor = { kind: 'provider', id: provider.id };
  if (found.outcome !== 'not_found') {
    // A lookup sends nothing, so a rate-limited one leaves the outcome unknown.
    const response = found.outcome === 'retry_later' ? { outcome: 'unknown' as const, reason: found.reason } : found;
    await applyResponses(ctx, programId, [{ payoutId, response }], responder);
    return found.outcome;
  }
  const [claimed] = (await canResend(ctx, payout, provider)) ? await claimUnknown(ctx, payout, actor) : [];
  const response = claimed
    ? await callProvider(ctx, claimed, { rail, type: getRailType(provider.type) })
    : {
        outcome: 'unknown' as const,
        reason:
          'the provider does not know the payment, and may have forgotten its idempotency key: check with the provider, then mark the ' +
          'payout as paid or cancel it',
      };
  await applyResponses(ctx, programId, [{ payoutId, response }], responder);
  return found.outcome;
}

async function canResend(ctx: Context, payout: Payout, provider: Provider): Promise<boolean> {
  const { programId, status, firstAttemptAt } = payout;
  if (provider.status === 'disabled' || (await isFrozen(ctx)) || (await transact(ctx, (tx) => findLock(tx, programId)))) return false;
  // Another account at the provider than the first attempt used doesn't know its idempotency key.
  const isSameAccount = firstAttemptAt !== null && firstAttemptAt > provider.updatedAt;
  return isSameAccount && status === 'unknown' && isKeyRemembered(payout, provider, ctx.clock.now());
}

function isKeyRemembered({ firstAttemptAt }: Payout, { type }: Pick<Provider, 'type'>, now: Date): boolean {
  const { keyWindowHours } = getRailType(type);
  if (keyWindowHours === null || !firstAttemptAt) return true;
  return now.getTime() - firstAttemptAt.getTime() < (keyWindowHours - keyMarginHours) * hourMs;
}
