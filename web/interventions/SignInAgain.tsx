// The session has ended: the user signs in on another page, and what was entered here stays.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { Dialog } from '../dialog/Dialog.tsx';
import { type Me, meKey } from '../session/me.ts';
import { Button } from '../ui/controls/button.tsx';
import styles from './interventions.module.css';
import { endIntervention } from './wait.ts';

export function SignInAgain() {
  const { t } = useTranslation('shell');
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const check = useCallback(
    async (isQuiet: boolean) => {
      const before = client.getQueryData<Me>(meKey);
      const now = await call('appMe.get', {}, { isSilent: true }).catch(() => null);
      if (now === null) {
        if (!isQuiet) setProblem(t('signIn.notYet'));
      } else if (before && before.user.id !== now.user.id) setProblem(t('signIn.otherUser', { email: now.user.email }));
      else {
        client.setQueryData(meKey, now);
        endIntervention(true);
      }
    },
    [client, t],
  );
  useEffect(() => {
    const onReturn = () => void check(true);
    addEventListener('focus', onReturn);
    return () => removeEventListener('focus', onReturn);
  }, [check]);
  return (
    <Dialog isOpen onClose={() => endIntervention(false)} label={t('signIn.title')}>
      <div className={styles.body}>
        <h2>{t('signIn.title')}</h2>
        <p>{t('signIn.text')}</p>
        <p role="status" className={styles.problem}>
          {problem}
        </p>
        <div className={styles.buttons}>
          <Button onClick={() => void check(false)}>{t('signIn.done')}</Button>
          <Button
            kind="primary"
            icon="external"
            onClick={() => window.open(`/sign-in?next=${location.pathname.startsWith('/portal') ? '/portal' : '/console'}`, '_blank')}
          >
            {t('signIn.open')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
