// What matures per week or month, as bars that add up to what will be payable, with the expected payday marked.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { BarList } from '../../../ui/charts/bar-list.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDay } from '../../../ui/figures/dates.ts';
import { dayOf } from '../../../ui/figures/days.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { nextPayday, toBuckets, type Unit } from './forecast-buckets.ts';

const units = ['week', 'month'] as const;

export function ForecastBars({ forecast }: { forecast: Result<'payouts.forecast'> }) {
  const { t } = useTranslation('payouts');
  const { id: programId } = useProgram();
  const { language, now } = useFigures();
  const [unit, setUnit] = useState<Unit>('week');
  const { currency, timezone, payableCents, days } = forecast;
  const last = useRead('payoutBatches.list', { path: { programId }, query: { limit: 1, sort: '-createdAt' } }).data?.batches[0];
  const lastOn = last === undefined ? null : dayOf(last.createdAt, timezone);
  const scheduled = useRead('payoutSchedule.get', { path: { programId } }).data?.next?.payOn ?? null;
  const expected = lastOn === null ? null : nextPayday(lastOn, dayOf(forecast.forecastAt, timezone));
  const payday = scheduled ?? expected;
  const day = (on: string) => formatDay(on, language, now);
  const bars = toBuckets(days, unit).map(({ start, end, maturingCents }) => ({
    id: start,
    name: start === end ? day(start) : `${day(start)} – ${day(end)}`,
    value: maturingCents,
    detail: payday !== null && payday >= start && payday <= end ? t('forecast.payday', { day: day(payday) }) : undefined,
  }));
  const end = days.at(-1);
  return (
    <Card
      title={t('forecast.bars')}
      actions={
        <Segments
          label={t('forecast.unit')}
          tabs={units.map((id) => ({ id, label: t(`forecast.per.${id}`) }))}
          value={unit}
          onChange={setUnit}
        />
      }
    >
      <Stack gap={16}>
        <BarList
          rows={[{ id: 'payable', name: t('forecast.payable'), value: payableCents }, ...bars]}
          format={{ kind: 'money', currency }}
        />
        {end === undefined ? null : (
          <Facts
            rows={[{ label: t('forecast.until', { day: day(end.maturesOn) }), value: <Money cents={end.owedCents} currency={currency} /> }]}
          />
        )}
        {scheduled !== null || lastOn === null || expected === null ? null : (
          <Text size="small">{t('forecast.paydayWhy', { day: day(lastOn), next: day(expected) })}</Text>
        )}
      </Stack>
    </Card>
  );
}
