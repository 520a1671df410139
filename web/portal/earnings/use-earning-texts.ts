import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate } from '../../ui/figures/dates.ts';
import { useAccount } from '../session/account.ts';

export type Earning = Result<'portal.earnings'>['earnings'][number];

/** How an earning is called, and its state as a sentence. */
export function useEarningTexts(): { titleOf: (earning: Earning) => string; stateOf: (earning: Earning) => string } {
  const { t } = useTranslation('portal-earnings');
  const { programName } = useAccount();
  const figures = useFigures();
  return {
    titleOf: ({ kind, level, products }) => {
      const names = products.map(({ name, quantity }) => (quantity > 1 ? `${name} ×${quantity}` : name)).join(', ');
      if (kind !== 'order') return t(`kind.${kind}`);
      if (level === 2) return names === '' ? t('kind.recruited') : t('kind.recruitedOf', { names });
      return names === '' ? t('kind.order') : names;
    },
    stateOf: ({ state, stateAt, reason }) => {
      const date = stateAt === null ? '' : formatDate(stateAt, figures, figures.now);
      if (state === 'held') return t(reason === 'dispute' ? 'state.disputed' : 'state.held', { program: programName });
      return t(`state.${state}`, { date });
    },
  };
}
