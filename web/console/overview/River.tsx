// The program's money in one band, each part with its next date.
import { useTranslation } from 'react-i18next';
import { MoneyRiver, type RiverAmount } from '../../ui/charts/money-river.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatDate } from '../../ui/figures/dates.ts';
import { formatCount, formatMoney } from '../../ui/figures/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useLinkTo } from './links.ts';
import styles from './overview.module.css';
import type { Overview } from './overview-types.ts';
import type { Period } from './range.ts';

export function River({ overview, period }: { overview: Overview; period: Period }) {
  const { t } = useTranslation('overview');
  const { language } = useFigures();
  const { money, currency } = overview;
  const parts = useParts(overview, period);
  const { affiliates: count, amountCents } = money.debts;
  const debts = { count, formatted: formatCount(count, language), amount: formatMoney(amountCents, currency, language) };
  if (count === 0) return <MoneyRiver parts={parts} currency={currency} />;
  const footer = (
    <span className={styles.debts}>
      <Icon name="undo" size={14} />
      {t('river.debts', debts)}
    </span>
  );
  return <MoneyRiver parts={parts} currency={currency} footer={footer} />;
}

function useParts({ money, due }: Overview, { range }: Period): RiverAmount[] {
  const { t } = useTranslation('overview');
  const figures = useFigures();
  const linkTo = useLinkTo();
  const affiliates = (count: number) => t('river.affiliates', { count, formatted: formatCount(count, figures.language) });
  const date = (at: string) => formatDate(at, figures, figures.now);
  const conversions = (status: string) => linkTo('conversions', { status });
  const { pending, held, ready, inTransit, paid } = money;
  const isPartlyDue = due.affiliates > 0 && due.affiliates < ready.affiliates;
  const ofReady = { due: formatCount(due.affiliates, figures.language), formatted: formatCount(ready.affiliates, figures.language) };
  const readyNote = isPartlyDue ? t('river.dueOf', ofReady) : affiliates(ready.affiliates);
  return [
    {
      state: 'pending',
      cents: pending.amountCents,
      note: pending.nextAt === null ? t('river.noNext') : t('river.next', { when: date(pending.nextAt) }),
      ...hrefOf(conversions('pending')),
    },
    {
      state: 'held',
      cents: held.amountCents,
      note:
        held.conversions === 0
          ? t('river.nothingHeld')
          : t('river.conversions', { count: held.conversions, formatted: formatCount(held.conversions, figures.language) }),
      ...hrefOf(conversions('held')),
    },
    { state: 'approved', cents: ready.amountCents, note: readyNote, ...hrefOf(conversions('approved')) },
    {
      state: 'in_transit',
      cents: inTransit.amountCents,
      note: inTransit.sinceAt === null ? affiliates(inTransit.affiliates) : <Since at={inTransit.sinceAt} />,
      ...hrefOf(linkTo('payouts', { view: 'batches', status: 'processing' })),
    },
    {
      state: 'paid',
      label: t('river.paidIn', { period: t(`period.${range}`) }),
      cents: paid.amountCents,
      note: paid.lastAt === null ? affiliates(0) : t('river.last', { when: date(paid.lastAt) }),
      ...hrefOf(conversions('paid')),
    },
  ];
}

function hrefOf(href: string | undefined): { href?: string } {
  return href === undefined ? {} : { href };
}

function Since({ at }: { at: string }) {
  const { t } = useTranslation('overview');
  return (
    <>
      {t('river.since', { when: '' })}
      <DateTime value={at} as="date" />
    </>
  );
}
