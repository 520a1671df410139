// The first screen: what is earned and not yet paid, when it is paid, the link to share, and what happened last.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { MoneyRiver, type RiverAmount } from '../../ui/charts/money-river.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate } from '../../ui/figures/dates.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Contours } from '../../ui/layout/contours.tsx';
import { Skeleton, SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import { LinkCard } from '../share/LinkCard.tsx';
import { Activity } from './Activity.tsx';
import styles from './home.module.css';
import { Next } from './Next.tsx';
import { Setup } from './Setup.tsx';

type Home = Result<'portal.home'>;

export function Screen() {
  const { t } = useTranslation('portal-home');
  const { programId, currency } = useAccount();
  const read = useRead('portal.home', { path: { programId } }, { refreshMs: 60_000 });
  return (
    <div className={styles.home}>
      <header className={styles.hero}>
        <Contours />
        <h1 className={styles.label}>{t('unpaid')}</h1>
        {read.data ? (
          <>
            <p className={styles.unpaid}>
              <Money cents={read.data.unpaidCents} currency={currency} />
            </p>
            <p className={styles.next}>
              <Next home={read.data} />
            </p>
          </>
        ) : read.error ? null : (
          <p className={styles.unpaid}>
            <Skeleton width={180} height={36} />
          </p>
        )}
      </header>
      <div className={styles.content}>
        <Loaded read={read} what={t('what')} skeleton={<HomeSkeleton />}>
          {(home) => (
            <div className={styles.columns}>
              <River home={home} />
              <LinkCard url={home.link.url} />
              <div className={styles.activityPlace}>
                <Activity activity={home.activity} />
              </div>
              <Setup setup={home.setup} />
            </div>
          )}
        </Loaded>
      </div>
    </div>
  );
}

/** Where the money is: what is pending, ready and paid; what is on hold or in transit only if there is some. */
function River({ home: { money, currency } }: { home: Home }) {
  const { t } = useTranslation('portal-home');
  const { href } = useAccount();
  const figures = useFigures();
  const { nextMaturesAt } = money;
  const optional = (part: RiverAmount): RiverAmount[] => (part.cents === 0 ? [] : [part]);
  const parts: RiverAmount[] = [
    {
      state: 'pending',
      cents: money.pendingCents,
      note: nextMaturesAt === null ? '' : t('river.next', { date: formatDate(nextMaturesAt, figures, figures.now) }),
      href: href('earnings?state=pending'),
    },
    ...optional({ state: 'held', cents: money.heldCents, note: t('river.held'), href: href('earnings?state=held') }),
    { state: 'approved', cents: money.readyCents, note: t('river.ready'), href: href('earnings?state=ready') },
    ...optional({ state: 'in_transit', cents: money.inTransitCents, note: t('river.inTransit') }),
    { state: 'paid', cents: money.paidCents, note: t('river.paid'), href: href('earnings?state=paid') },
  ];
  return (
    <section aria-label={t('river.label')}>
      <MoneyRiver parts={parts} currency={currency} />
    </section>
  );
}

function HomeSkeleton() {
  return (
    <div className={styles.columns}>
      <Card>
        <SkeletonText lines={5} />
      </Card>
      <Card>
        <SkeletonText lines={4} />
      </Card>
      <Card>
        <SkeletonText lines={6} />
      </Card>
    </div>
  );
}
