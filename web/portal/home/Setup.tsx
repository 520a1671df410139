import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { Icon } from '../../ui/icons.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { useAccount } from '../session/account.ts';
import styles from './home.module.css';

type Facts = Result<'portal.home'>['setup'];

/** What makes the first sales likely and the account safe; nothing once all of it is done. */
export function Setup({ setup }: { setup: Facts }) {
  const { t } = useTranslation('portal-home');
  const { href } = useAccount();
  const all = [
    { id: 'share', isDone: setup.hasClicks, href: href('links'), detail: t('setup.shareText') },
    { id: 'page', isDone: setup.page === 'live', href: href('page'), detail: t(`setup.pageIs.${setup.page}`) },
    { id: 'payout', isDone: setup.hasPayoutDetails, href: href('payout-details'), detail: t('setup.payoutText') },
    { id: 'tax', isDone: setup.taxForm === 'valid', href: href('tax-form'), detail: t('setup.taxText') },
    { id: 'passkey', isDone: setup.hasPasskey, href: href('account'), detail: t('setup.passkeyText') },
  ] as const;
  const isPossible: Partial<Record<(typeof all)[number]['id'], boolean>> = {
    tax: setup.taxForm !== 'not_required',
    passkey: setup.hasPasskey || setup.allowsPasskeys,
  };
  const steps = all.filter(({ id }) => isPossible[id] ?? true);
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card
      title={t('setup.title')}
      detail={t('setup.progress', { done: steps.filter(({ isDone }) => isDone).length, count: steps.length })}
      isFlush
    >
      <ul className={styles.setup}>
        {steps.map(({ id, isDone, href: address, detail }) => (
          <li key={id} className={styles.step} data-done={isDone || undefined}>
            <span className={styles.stepMark}>{isDone ? <Icon name="check" size={16} /> : null}</span>
            <span className={styles.stepText}>
              {isDone ? (
                <span className={styles.stepTitle}>{t(`setup.${id}`)}</span>
              ) : (
                <Link href={address} className={styles.stepTitle}>
                  {t(`setup.${id}`)}
                </Link>
              )}
              <span className={styles.stepDetail}>{isDone ? t('setup.done') : detail}</span>
            </span>
            {isDone ? null : <Icon name="chevronRight" size={18} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}
