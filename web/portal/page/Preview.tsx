// The page as it will look: the saved draft, rendered by the service, in a frame that runs no script. The previous version
// stays visible until the next one has loaded, so that typing doesn't make it flicker.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { RequestError } from '../../api/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { useEditor } from './editor-context.ts';
import styles from './page.module.css';
import type { DraftEditor } from './use-draft.ts';

type Frames = { shown: string | null; next: string | null };

export function Preview({ draft }: { draft: DraftEditor }) {
  const { t } = useTranslation('portal-page');
  const { programId } = useEditor();
  const [frames, setFrames] = useState<Frames>({ shown: null, next: null });
  const [error, setError] = useState<RequestError | null>(null);
  const [attempt, setAttempt] = useState(0);
  const flush = useRef(draft.flush);
  flush.current = draft.flush;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each saved version, and each attempt, is rendered again.
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      await flush.current();
      const { url } = await call('portalPage.preview', { path: { programId } });
      if (!isCurrent) return;
      setError(null);
      setFrames(({ shown }) => ({ shown, next: url }));
    };
    load().catch((cause: unknown) => {
      if (isCurrent && cause instanceof RequestError) setError(cause);
    });
    return () => {
      isCurrent = false;
    };
  }, [programId, draft.version, attempt]);
  return (
    <div className={styles.preview}>
      {error === null ? null : (
        <Notice icon="warning" title={t('preview.failed')}>
          <Button size="small" icon="refresh" onClick={() => setAttempt(attempt + 1)}>
            {t('preview.retry')}
          </Button>
        </Notice>
      )}
      <div className={styles.frames}>
        {[frames.shown, frames.next].map((url) =>
          url === null ? null : (
            <iframe
              key={url}
              className={styles.frame}
              title={t('preview.title')}
              src={url}
              sandbox=""
              referrerPolicy="no-referrer"
              aria-hidden={url !== frames.shown || undefined}
              tabIndex={url === frames.shown ? 0 : -1}
              data-shown={url === frames.shown || undefined}
              onLoad={() => setFrames((current) => (current.next === url ? { shown: url, next: null } : current))}
            />
          ),
        )}
        {frames.shown === null && error === null ? <p className={styles.loading}>{t('preview.loading')}</p> : null}
      </div>
    </div>
  );
}
