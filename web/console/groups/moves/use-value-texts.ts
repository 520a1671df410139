import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import type { FieldTexts } from '../../../states/edit/StaleNotice.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatMoney } from '../../../ui/figures/format.ts';
import type { Group, Moves, MovesValues } from './moves-values.ts';

/** How the values of the form are named and shown when someone else changed them too. */
export function useValueTexts(groups: readonly Group[]): FieldTexts<Moves, MovesValues> {
  const { t } = useTranslation('groups');
  const { currency } = useProgram();
  const { language } = useFigures();
  const volumesOf = (name: 'conversions' | 'amountCents', values: MovesValues) => {
    const texts = groups.flatMap(({ id, name: group }) => {
      const from = values[name][id] ?? null;
      if (from === null) return [];
      return `${group} ${name === 'conversions' ? t('moves.orderCount', { count: from }) : formatMoney(from, currency, language)}`;
    });
    return texts.length === 0 ? undefined : texts.join(', ');
  };
  return {
    labels: {
      isEnabled: t('moves.enabled'),
      metric: t('moves.metric'),
      days: t('moves.days'),
      conversions: t('moves.volumes'),
      amountCents: t('moves.volumes'),
      canMoveDown: t('moves.down'),
      keepDays: t('moves.keep'),
    },
    show: (name, values) => {
      if (name === 'metric') return t(`moves.metrics.${values.metric}`);
      return name === 'conversions' || name === 'amountCents' ? (volumesOf(name, values) ?? '–') : undefined;
    },
  };
}
