// Names the affiliate as whom a member views the portal, and leads back to that affiliate in the console.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import styles from './view-banner.module.css';

export function ViewBanner() {
  const { t } = useTranslation('portal');
  const { programId, affiliateId, view } = useAccount();
  const end = useAction('affiliateViews.end', {});
  if (view === null) return null;
  const stop = () =>
    end.mutate(
      { path: { programId } },
      {
        onSuccess: () => location.assign(`/console/${programId}/affiliates/${affiliateId}`),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  return (
    <div className={styles.banner}>
      <div className={styles.content}>
        <Icon name="eye" size={18} />
        <span>{t('view.text', { name: view.affiliateName })}</span>
        <Button size="small" onClick={stop} isBusy={end.isPending}>
          {t('view.stop')}
        </Button>
      </div>
    </div>
  );
}
