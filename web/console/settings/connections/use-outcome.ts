// Explains the outcome of an event.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';

export type ProviderEvent = Result<'providerEvents.list'>['providerEvents'][number];

/** Why an event has no effect. */
const ignoredReasons = [
  'unsupported_topic',
  'superseded_topic',
  'test_event',
  'not_paid',
  'nothing_charged',
  'nothing_refunded',
  'no_payment',
  'order_not_found',
] as const;

/** Says what an event did: "Order FF-10023 was credited to an affiliate." */
export function useOutcome(): (event: Pick<ProviderEvent, 'status' | 'outcome' | 'error' | 'errorCode'>) => string {
  const { t } = useTranslation('connections');
  return ({ status, outcome, error, errorCode }) => {
    if (status === 'failed') return error ?? t('outcome.failed');
    if (status === 'waiting' && errorCode === 'exchange_rate_missing') return t('outcome.exchange_rate_missing');
    if (outcome === null) return t(`outcome.${status}`);
    if (outcome.status === 'ignored') return t(`ignored.${ignoredReasons.find((reason) => reason === outcome.reason) ?? 'other'}`);
    return t(`outcome.${outcome.status}`, { order: outcome.orderId ?? '' });
  };
}
