// How charts write values, buckets and their summary.
import { useTranslation } from 'react-i18next';
import { useFigures } from '../figures/context.ts';
import { formatDate, formatDay, formatTime } from '../figures/dates.ts';
import { formatAxisCount, formatAxisMoney, formatCount, formatMoney, formatPercent } from '../figures/format.ts';
import type { ChartFormat, TimeChartProps, TimePoint } from './chart-types.ts';

/** Values in full, and short ones for an axis. */
export function useValueText(format: ChartFormat): { value: (value: number) => string; axis: (value: number) => string } {
  const { language } = useFigures();
  if (format.kind === 'money') {
    return {
      value: (value) => formatMoney(value, format.currency, language),
      axis: (value) => formatAxisMoney(value, format.currency, language),
    };
  }
  if (format.kind === 'percent') {
    return { value: (value) => formatPercent(value, language, 1), axis: (value) => formatPercent(value, language) };
  }
  return { value: (value) => formatCount(value, language), axis: (value) => formatAxisCount(value, language) };
}

export function useChartText({
  label,
  series,
  format,
  bucket,
  comparison,
  hasTotal = format.kind !== 'percent',
}: Pick<TimeChartProps, 'label' | 'series' | 'format' | 'bucket' | 'comparison' | 'hasTotal'>) {
  const { t } = useTranslation('ui');
  const figures = useFigures();
  const { value, axis } = useValueText(format);
  const bucketText = (start: string, isLong = false): string => {
    if (bucket === 'hour')
      return isLong ? `${formatDate(start, figures, figures.now)}, ${formatTime(start, figures)}` : formatTime(start, figures);
    const day = formatDay(start.slice(0, 10), figures.language, isLong ? undefined : figures.now);
    if (bucket === 'week' && isLong) return t('chart.weekOf', { day });
    return bucket === 'month' ? monthText(start, figures.language) : day;
  };
  const first = series[0];
  const last = series.at(-1);
  return {
    value,
    axis,
    bucket: bucketText,
    chart: t('chart.role'),
    nothing: t('chart.nothing'),
    current: t(`chart.current.${bucket}`),
    sentence: (point: TimePoint) => sentenceOf(point),
    summary:
      first && last
        ? t('chart.summary', { label, from: bucketText(first.start, true), to: bucketText(last.start, true), total: total() })
        : t('chart.none', { label }),
  };

  function total(): string {
    const values = series.map((point) => point.value);
    const sum = values.reduce((all, each) => all + each, 0);
    return hasTotal ? t('chart.total', { value: value(sum) }) : t('chart.latest', { value: value(values.at(-1) ?? 0) });
  }

  function sentenceOf(point: TimePoint): string {
    const figure = `${bucketText(point.start, true)}: ${value(point.value)}`;
    const before = point.compare;
    if (comparison === undefined || before === undefined || before === null) return figure;
    return `${figure}. ${t('chart.before')}: ${value(before)}`;
  }
}

function monthText(start: string, language: 'en' | 'de'): string {
  const at = new Date(`${start.slice(0, 10)}T12:00:00Z`);
  return new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(at);
}
