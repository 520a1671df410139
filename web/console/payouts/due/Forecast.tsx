// What becomes payable in the next 60 days, if nothing is paid before.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { ChartCard } from '../../../ui/charts/time-chart.tsx';
import { nameOfZone } from '../../../ui/figures/dates.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { ForecastBars } from './ForecastBars.tsx';

const days = 60;

export function Forecast() {
  const { t } = useTranslation('payouts');
  const { id: programId } = useProgram();
  const read = useRead('payouts.forecast', { path: { programId }, query: { days } });
  return (
    <Loaded read={read} what={t('forecast.what')} skeleton={<Skeleton height={320} shape="block" />}>
      {(forecast) => <ForecastCards forecast={forecast} />}
    </Loaded>
  );
}

function ForecastCards({ forecast }: { forecast: Result<'payouts.forecast'> }) {
  const { t } = useTranslation('payouts');
  const { currency, timezone } = forecast;
  const amount = (cents: number) => <Money cents={cents} currency={currency} />;
  return (
    <Stack gap={20}>
      <ChartCard
        title={t('forecast.title')}
        detail={t('forecast.detail', { zone: nameOfZone(timezone) })}
        label={t('forecast.label')}
        series={forecast.days.map(({ maturesOn, owedCents }) => ({ start: maturesOn, value: owedCents }))}
        format={{ kind: 'money', currency }}
        bucket="day"
        hasTotal={false}
      />
      <ForecastBars forecast={forecast} />
      <Card title={t('forecast.sums')}>
        <Facts
          rows={[
            { label: t('forecast.payable'), value: amount(forecast.payableCents) },
            { label: t('forecast.maturing'), value: amount(forecast.days.reduce((sum, { maturingCents }) => sum + maturingCents, 0)) },
            { label: t('forecast.later'), value: amount(forecast.laterCents) },
            { label: t('forecast.held'), value: amount(forecast.heldCents) },
            { label: t('forecast.inTransit'), value: amount(forecast.inTransitCents) },
            { label: t('forecast.debts'), value: amount(-forecast.debtCents) },
          ]}
        />
      </Card>
    </Stack>
  );
}
