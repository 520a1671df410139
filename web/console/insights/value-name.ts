// What a row is called.
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDay } from '../../ui/figures/dates.ts';
import { nameOfCountry } from '../../ui/form/countries.ts';
import type { Breakdown, InsightsRow } from './insights-types.ts';

const devices = ['desktop', 'phone', 'tablet'] as const;

/** Returns the name of a row. */
export function useValueName(breakdown: Breakdown): (row: Pick<InsightsRow, 'value' | 'name'>) => string {
  const { t } = useTranslation('insights');
  const { language } = useFigures();
  return ({ value, name }) => {
    if (name !== null) return name;
    if (value === null) return t('none');
    const device = breakdown === 'device' ? devices.find((one) => one === value) : undefined;
    if (device !== undefined) return t(`device.${device}`);
    if (breakdown === 'country') return nameOfCountry(value, language);
    if (breakdown === 'month') return formatMonth(value, language);
    return breakdown === 'day' || breakdown === 'week' ? formatDay(value, language) : value;
  };
}

/** "March 2026" */
export function formatMonth(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));
}
