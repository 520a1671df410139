// A role that handles money needs a second factor: it is set up on another page, and what was entered here stays.
import { useTranslation } from 'react-i18next';
import { Dialog } from '../dialog/Dialog.tsx';
import { Button } from '../ui/controls/button.tsx';
import styles from './interventions.module.css';
import { endIntervention } from './wait.ts';

export function SetUpFactor() {
  const { t } = useTranslation('shell');
  // /console/PROGRAM-ID/…
  const [, app, programId] = location.pathname.split('/');
  return (
    <Dialog isOpen onClose={() => endIntervention(false)} label={t('factor.title')}>
      <div className={styles.body}>
        <h2>{t('factor.title')}</h2>
        <p>{t('factor.text')}</p>
        <div className={styles.buttons}>
          <Button onClick={() => endIntervention(false)}>{t('confirm.cancel')}</Button>
          <Button onClick={() => endIntervention(true)}>{t('factor.done')}</Button>
          <Button kind="primary" icon="external" onClick={() => window.open(`/${app}/${programId}/settings/security`, '_blank')}>
            {t('factor.open')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
