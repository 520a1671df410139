import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDate, formatDay } from '../../../ui/figures/dates.ts';
import { formatDecimal, formatMoney, formatPercent } from '../../../ui/figures/format.ts';
import { useRateText } from '../../../ui/figures/rate.tsx';
import type { Say } from './say.ts';

/** The texts and formats of the user's language, for the pure functions of this folder. */
export function useSay(currency: string): Say {
  const { t } = useTranslation('conversions');
  const figures = useFigures();
  const rate = useRateText();
  return useMemo(
    () => ({
      // The keys contain codes of the API, which the type of the catalogue can't follow.
      t: t as unknown as Say['t'],
      money: (cents, other = currency) => formatMoney(cents, other, figures.language),
      percent: (value) => formatPercent(value, figures.language),
      flat: (amountCents, per) => rate({ type: 'flat', amountCents, currency, per }),
      date: (instant) => formatDate(instant, figures, figures.now),
      day: (dayOn) => formatDay(dayOn, figures.language, figures.now),
      decimal: (decimal) => formatDecimal(decimal, figures.language),
    }),
    [t, currency, figures, rate],
  );
}
