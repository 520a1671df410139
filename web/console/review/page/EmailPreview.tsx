// The email about a review as it will be sent, rendered by the service.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import styles from './page.module.css';

const pauseMs = 400;

export function EmailPreview({ slug, note }: { slug: string; note: string }) {
  const { t } = useTranslation('review');
  const { id: programId } = useProgram();
  const [isShown, setIsShown] = useState(false);
  const { mutate, data } = useAction('landingPages.previewReview');
  useEffect(() => {
    if (!isShown) return;
    const body = { verdict: 'changes_requested' as const, note: note.trim() || null };
    const timer = setTimeout(() => mutate({ path: { programId, slug }, body }), pauseMs);
    return () => clearTimeout(timer);
  }, [isShown, note, mutate, programId, slug]);
  return (
    <div className={styles.preview}>
      <Button size="small" kind="quiet" icon={isShown ? 'chevronUp' : 'eye'} aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {t(isShown ? 'page.hidePreview' : 'page.preview')}
      </Button>
      {isShown && data ? (
        <article className={styles.mail}>
          <div className={styles.mailTo}>{t('page.to', { email: data.to })}</div>
          <div className={styles.mailSubject}>{data.subject}</div>
          <pre className={styles.mailText}>{data.text}</pre>
        </article>
      ) : null}
    </div>
  );
}
