// The email as the first affiliate will receive it, rendered by the service itself in a dry run.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import styles from './invite.module.css';
import { type InviteValues, toBody } from './invite-body.ts';
import { Outcomes } from './Outcomes.tsx';

const pauseMs = 500;

export function EmailPreview({ values }: { values: InviteValues }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const [isShown, setIsShown] = useState(false);
  const { mutate, data } = useAction('affiliates.inviteMany');
  const isReady = values.people.length > 0;
  // Only what the server needs: typing elsewhere in the form sends nothing.
  const body = JSON.stringify({ ...toBody(values), dryRun: true });
  useEffect(() => {
    if (!isShown || !isReady) return;
    const timer = setTimeout(() => mutate({ path: { programId }, body: JSON.parse(body) }), pauseMs);
    return () => clearTimeout(timer);
  }, [isShown, isReady, body, mutate, programId]);
  if (!isReady) return null;
  return (
    <div className={styles.preview}>
      <Button size="small" kind="quiet" icon={isShown ? 'chevronUp' : 'eye'} aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {t(isShown ? 'invite.hidePreview' : 'invite.preview')}
      </Button>
      {isShown && data ? (
        <>
          {data.rejected > 0 || data.existed > 0 ? <Outcomes result={data} /> : null}
          {data.email ? (
            <article className={styles.mail}>
              <div className={styles.subject}>{data.email.subject}</div>
              <pre className={styles.mailText}>{data.email.text}</pre>
            </article>
          ) : null}
        </>
      ) : null}
    </div>
  );
}
