// The affiliates with the highest sales of the period.
import { useTranslation } from 'react-i18next';
import { Count } from '../../ui/figures/count.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { useLinkTo } from './links.ts';
import styles from './overview.module.css';
import type { Overview } from './overview-types.ts';

export function TopAffiliates({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const linkTo = useLinkTo();
  const { topAffiliates, currency } = overview;
  const all = linkTo('affiliates', { sort: '-salesCents' });
  return (
    <Card title={t('top.title')} isFlush actions={all === undefined ? undefined : <Link href={all}>{t('top.all')}</Link>}>
      {topAffiliates.length === 0 ? (
        <p className={styles.nothing}>{t('top.none')}</p>
      ) : (
        <table className={styles.top}>
          <thead>
            <tr>
              <th scope="col">{t('top.affiliate')}</th>
              <th scope="col" className={styles.wide}>
                {t('top.clicks')}
              </th>
              <th scope="col" className={styles.wide}>
                {t('top.conversions')}
              </th>
              <th scope="col">{t('top.sales')}</th>
              <th scope="col" className={styles.medium}>
                {t('top.commissions')}
              </th>
            </tr>
          </thead>
          <tbody>
            {topAffiliates.map((affiliate) => (
              <Row key={affiliate.id} affiliate={affiliate} currency={currency} href={linkTo(`affiliates/${affiliate.id}`)} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

type RowProps = { affiliate: Overview['topAffiliates'][number]; currency: string; href: string | undefined };

function Row({ affiliate, currency, href }: RowProps) {
  const { name, groupName, clicks, conversions, salesCents, commissionsCents } = affiliate;
  return (
    <tr>
      <th scope="row">
        <span className={styles.who}>
          <Avatar name={name} size={28} />
          <span className={styles.whoText}>
            <bdi>{href === undefined ? name : <Link href={href}>{name}</Link>}</bdi>
            {groupName === null ? null : <span className={styles.itemDetail}>{groupName}</span>}
          </span>
        </span>
      </th>
      <td className={styles.wide}>
        <Count value={clicks} />
      </td>
      <td className={styles.wide}>
        <Count value={conversions} />
      </td>
      <td>
        <Money cents={salesCents} currency={currency} />
      </td>
      <td className={styles.medium}>
        <Money cents={commissionsCents} currency={currency} />
      </td>
    </tr>
  );
}
