// From clicks to paid orders: each step with its share of the one before.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Count, Percent } from '../../ui/figures/count.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useLinkTo } from '../overview/links.ts';
import type { Period } from '../overview/range.ts';
import styles from './insights.module.css';

type FunnelResult = Result<'funnel.get'>;

export function Funnel({ period: { from, to } }: { period: Period }) {
  const { t } = useTranslation('insights');
  const { id: programId } = useProgram();
  const read = useRead('funnel.get', { path: { programId }, query: { from, to } });
  return (
    <Card title={t('funnel.title')} isFlush>
      <Loaded read={read} what={t('what')} skeleton={<Skeleton shape="block" height={194} />}>
        {(funnel) => <Steps funnel={funnel} />}
      </Loaded>
    </Card>
  );
}

function Steps({ funnel }: { funnel: FunnelResult }) {
  const { t } = useTranslation('insights');
  const linkTo = useLinkTo();
  const { clicks, recorded, kept, paid, currency, startsOn: from, endsOn: to } = funnel;
  const steps = [
    { id: 'clicks', count: clicks, before: null, cents: null, href: linkTo('insights', { view: 'clicks', from, to }) },
    { id: 'recorded', count: recorded.conversions, before: clicks, cents: recorded.salesCents, href: linkTo('conversions', { from, to }) },
    { id: 'kept', count: kept.conversions, before: recorded.conversions, cents: kept.salesCents, href: undefined },
    {
      id: 'paid',
      count: paid.conversions,
      before: kept.conversions,
      cents: paid.salesCents,
      href: linkTo('conversions', { from, to, status: 'paid' }),
    },
  ] as const;
  return (
    <table className={styles.table} aria-label={t('funnel.title')}>
      <thead>
        <tr>
          <th scope="col">{t('funnel.step')}</th>
          <th scope="col">{t('funnel.count')}</th>
          <th scope="col">{t('funnel.share')}</th>
          <th scope="col" className={styles.medium}>
            {t('funnel.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ id, count, before, cents, href }) => (
          <tr key={id}>
            <th scope="row">{href === undefined ? t(`funnel.${id}`) : <Link href={href}>{t(`funnel.${id}`)}</Link>}</th>
            <td>
              <Count value={count} />
            </td>
            <td>{before === null || before === 0 ? '–' : <Percent value={(count / before) * 100} decimals={1} />}</td>
            <td className={styles.medium}>{cents === null ? '–' : <Money cents={cents} currency={currency} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
