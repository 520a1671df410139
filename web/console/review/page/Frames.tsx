// The approved and the current revision as they will appear, side by side; `]` switches to one of them.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { useMedia } from '../../../ui/layout/use-media.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { useShortcut } from '../../shortcuts/use-shortcut.ts';
import styles from '../review.module.css';
import pageStyles from './page.module.css';

type Props = { slug: string; approved: number | null; current: number };
type View = 'both' | 'approved' | 'current';

export function Frames({ slug, approved, current }: Props) {
  const { t } = useTranslation('review');
  const isWide = useMedia('(min-width: 1280px)');
  const [chosen, setChosen] = useState<View>('both');
  const view: View = approved === null ? 'current' : !isWide && chosen === 'both' ? 'current' : chosen;
  const views: View[] = isWide ? ['both', 'approved', 'current'] : ['approved', 'current'];
  const isEnabled = approved !== null;
  useShortcut({ keys: ']', label: t('switchKey'), isEnabled, run: () => setChosen(view === 'approved' ? 'current' : 'approved') });
  const names = { both: t('page.sideBySide'), approved: t('page.onlyApproved'), current: t('page.onlyCurrent') };
  return (
    <div className={pageStyles.frames}>
      {isEnabled ? (
        <fieldset className={styles.filter}>
          <legend className="visually-hidden">{t('page.view')}</legend>
          {views.map((each) => (
            <button key={each} type="button" className={styles.chip} aria-pressed={view === each} onClick={() => setChosen(each)}>
              {names[each]}
            </button>
          ))}
        </fieldset>
      ) : null}
      <div className={pageStyles.pair}>
        {view === 'current' || approved === null ? null : (
          <RevisionFrame key={`${slug}:${approved}`} slug={slug} revision={approved} title={t('page.approved', { revision: approved })} />
        )}
        {view === 'approved' ? null : (
          <RevisionFrame key={`${slug}:${current}`} slug={slug} revision={current} title={t('page.current', { revision: current })} />
        )}
      </div>
    </div>
  );
}

/** A revision, rendered by the service as the public page, without scripts and without its own origin. */
export function RevisionFrame({ slug, revision, title }: { slug: string; revision: number; title: string }) {
  const { t } = useTranslation('review');
  const { id: programId } = useProgram();
  const { mutate, data, error } = useAction('landingPages.preview');
  useEffect(() => mutate({ path: { programId, slug }, body: { revision } }), [mutate, programId, slug, revision]);
  return (
    <figure className={pageStyles.frame}>
      <figcaption>{title}</figcaption>
      {error ? (
        <Problem error={error} what={t('whatPage')} onRetry={() => mutate({ path: { programId, slug }, body: { revision } })} />
      ) : null}
      {data ? (
        <iframe className={pageStyles.window} title={title} src={data.url} sandbox="" referrerPolicy="no-referrer" />
      ) : error ? null : (
        <Skeleton height={480} />
      )}
    </figure>
  );
}
