// How a coupon was used, and what suggests that its code leaked: orders of customers who clicked no link.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { ChartCard } from '../../ui/charts/time-chart.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatCount, formatPercent } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import type { Coupon } from './coupon-values.ts';

export function Usage({ coupon: { id, leakSuspectedAt } }: { coupon: Coupon }) {
  const { t } = useTranslation('coupons');
  const { language } = useFigures();
  const { id: programId } = useProgram();
  const read = useRead('coupons.usage', { path: { programId, id } });
  return (
    <Loaded read={read} what={t('usage.title')} skeleton={<Skeleton shape="block" height={280} />}>
      {({ orders, withoutClick, salesCents, currency, days }) => {
        const share = orders === 0 ? '–' : formatPercent(Math.round((withoutClick / orders) * 1000) / 10, language);
        return (
          <Stack gap={16}>
            {leakSuspectedAt === null ? null : (
              <Notice icon="warning" tone="held" title={t('leak.title')}>
                {t('leak.text')} <DateTime value={leakSuspectedAt} />
              </Notice>
            )}
            <Facts
              columns={3}
              rows={[
                { label: t('usage.orders'), value: formatCount(orders, language) },
                { label: t('usage.withoutClick'), value: `${formatCount(withoutClick, language)} (${share})` },
                { label: t('usage.sales'), value: <Money cents={salesCents} currency={currency} /> },
              ]}
            />
            <ChartCard
              title={t('usage.withoutClick')}
              detail={t('usage.detail')}
              label={t('usage.withoutClick')}
              series={days.map((day) => ({ start: day.day, value: day.withoutClick, compare: day.orders }))}
              comparison={t('usage.all')}
              format={{ kind: 'count' }}
              bucket="day"
              isLastIncomplete
            />
          </Stack>
        );
      }}
    </Loaded>
  );
}
