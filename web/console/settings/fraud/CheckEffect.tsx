// What a check would have found among the orders of the last 30 days with the settings of the form.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import type { Read } from '../../../api/queries.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Text } from '../../../ui/layout/stack.tsx';

type Effect = Result<'fraudSettings.effect'>;
export type Check = Effect['effects'][number]['check'];

type Props = {
  check: Check;
  read: Read<'fraudSettings.effect'>;
  /** Whether the form has changed since the effect was calculated. */
  isOutdated: boolean;
};

export function CheckEffect({ check, read: { data, error, isPlaceholderData }, isOutdated }: Props) {
  const { t } = useTranslation('settings');
  const describe = useDescription();
  const isPending = isOutdated || isPlaceholderData || data === undefined;
  return (
    <div role="status" aria-busy={isPending && !error}>
      <Text size="small">{error ? t('fraud.effect.failed') : isPending ? t('fraud.effect.pending') : describe(data, check)}</Text>
    </div>
  );
}

/** "In the last 30 days, 14 orders ($1,240.00) would have been held. 2 of them were resolved as fraud." */
function useDescription(): (effect: Effect, check: Check) => string {
  const { t } = useTranslation('settings');
  const { language } = useFigures();
  return ({ effects, isComplete, checkedCount, currency }, check) => {
    const effect = effects.find((one) => one.check === check);
    if (effect === undefined || effect.action === 'off') return t('fraud.effect.off');
    const { action, orders, amountCents, fraudCount, uncheckedCount } = effect;
    const formatted = formatCount(orders, language);
    const parts = [
      orders === 0
        ? t('fraud.effect.none')
        : t(`fraud.effect.${action}`, { count: orders, formatted, amount: formatMoney(amountCents, currency, language) }),
      fraudCount > 0 ? t('fraud.effect.fraud', { count: fraudCount, formatted: formatCount(fraudCount, language) }) : null,
      uncheckedCount > 0 ? t('fraud.effect.unchecked', { count: uncheckedCount, formatted: formatCount(uncheckedCount, language) }) : null,
      isComplete ? null : t('fraud.effect.newest', { formatted: formatCount(checkedCount, language) }),
    ];
    return parts.filter((part) => part !== null).join(' ');
  };
}
