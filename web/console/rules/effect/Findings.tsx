// The outcome of a simulation: what changes in total, per week, and for the affiliates with the largest differences.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { DifferenceBars } from '../../../ui/charts/difference-bars.tsx';
import { TimeChart } from '../../../ui/charts/time-chart.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { Count } from '../../../ui/figures/count.tsx';
import { addDays } from '../../../ui/figures/days.ts';
import { formatCount, formatMoney, formatPercent } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';

type Outcome = NonNullable<Result<'ruleSimulations.get'>['outcome']>;
type Props = { outcome: Outcome; currency: string };

const shownAffiliates = 10;

export function Findings({ outcome: { total, gaining, losing, weeks, affiliates }, currency }: Props) {
  const { t } = useTranslation('rules');
  const { language } = useFigures();
  const { href } = useProgram();
  if (total.conversions === 0) return <Text>{t('simulation.noOrders')}</Text>;
  const changed = affiliates.filter(({ differenceCents }) => differenceCents !== 0).slice(0, shownAffiliates);
  const bars = changed
    .toSorted((a, b) => b.differenceCents - a.differenceCents)
    .map(({ affiliateId: id, affiliate, afterCents, differenceCents }) => ({
      id,
      name: affiliate?.name ?? '–',
      href: href(`affiliates/${id}`),
      detail: (
        <>
          {t('simulation.after')} <Money cents={afterCents} currency={currency} />
        </>
      ),
      differenceCents,
    }));
  const others = gaining.affiliates + losing.affiliates - changed.length;
  const side = ({ affiliates: count, differenceCents }: Outcome['gaining'], text: 'simulation.gaining' | 'simulation.losing') => ({
    label: t(text, { count, formatted: formatCount(count, language) }),
    value: <Money cents={differenceCents} currency={currency} isSigned />,
  });
  return (
    <Stack gap={16}>
      <Facts
        rows={[
          { label: t('simulation.before'), value: <WithShare cents={total.beforeCents} of={total.salesCents} currency={currency} /> },
          { label: t('simulation.after'), value: <WithShare cents={total.afterCents} of={total.salesCents} currency={currency} /> },
          { label: t('simulation.difference'), value: <Money cents={total.differenceCents} currency={currency} isSigned /> },
          { label: t('simulation.orders'), value: <Count value={total.conversions} /> },
          side(gaining, 'simulation.gaining'),
          side(losing, 'simulation.losing'),
        ]}
      />
      {weeks.length > 1 ? (
        <TimeChart
          label={t('simulation.after')}
          series={toSeries(weeks)}
          format={{ kind: 'money', currency }}
          bucket="week"
          comparison={t('simulation.comparison')}
        />
      ) : null}
      {changed.length === 0 ? (
        <Text>{t('simulation.noEffect')}</Text>
      ) : (
        <DifferenceBars label={t('simulation.table')} rows={bars} currency={currency} />
      )}
      {others > 0 ? <Text size="small">{t('simulation.others', { count: others, formatted: formatCount(others, language) })}</Text> : null}
      <Text size="small">{t('simulation.limits')}</Text>
    </Stack>
  );
}

/** An amount and its share of the sales. */
function WithShare({ cents, of, currency }: { cents: number; of: number; currency: string }) {
  const { t } = useTranslation('rules');
  const { language } = useFigures();
  if (of === 0) return <Money cents={cents} currency={currency} />;
  const share = formatPercent(Math.round((cents / of) * 1000) / 10, language);
  return <>{t('simulation.share', { amount: formatMoney(cents, currency, language), share })}</>;
}

/** Every week from the first to the last one, those without orders included. */
function toSeries(weeks: Outcome['weeks']) {
  const byDay = new Map(weeks.map((week) => [week.startsOn, week]));
  const [first, last] = [weeks[0]?.startsOn ?? '', weeks.at(-1)?.startsOn ?? ''];
  const series: { start: string; value: number; compare: number }[] = [];
  for (let start = first; start <= last; start = addDays(start, 7)) {
    const { afterCents = 0, beforeCents = 0 } = byDay.get(start) ?? {};
    series.push({ start, value: afterCents, compare: beforeCents });
  }
  return series;
}
