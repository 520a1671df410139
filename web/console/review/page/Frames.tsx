// The approved and the current revision as they will appear, side by side; `]` switches to one of them.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../../ui/layout/use-media.ts';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { useShortcut } from '../../shortcuts/use-shortcut.ts';
import { Loaded } from '../../states/loaded.tsx';
import styles from '../review.module.css';
import type { Revision } from './changes.ts';
import pageStyles from './page.module.css';
import { useRevisions } from './use-revisions.ts';

type Props = { slug: string; approved: number | null; current: number };
type View = 'both' | 'approved' | 'current';

export function Frames(props: Props) {
  const { t } = useTranslation('review');
  const isWide = useMedia('(min-width: 1280px)');
  const [chosen, setChosen] = useState<View>('both');
  const { now, before } = useRevisions(props);
  const { approved, current } = props;
  const view: View = approved === null ? 'current' : !isWide && chosen === 'both' ? 'current' : chosen;
  const views: View[] = isWide ? ['both', 'approved', 'current'] : ['approved', 'current'];
  const isEnabled = approved !== null;
  useShortcut({ keys: ']', label: t('switchKey'), isEnabled, run: () => setChosen(view === 'current' ? 'approved' : 'current') });
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
          <Loaded read={before} what={t('whatPage')} skeleton={<SkeletonText lines={10} />}>
            {(revision) => <Plain title={t('page.approved', { revision: approved })} revision={revision} />}
          </Loaded>
        )}
        {view === 'approved' ? null : (
          <Loaded read={now} what={t('whatPage')} skeleton={<SkeletonText lines={10} />}>
            {(revision) => <Plain title={t('page.current', { revision: current })} revision={revision} />}
          </Loaded>
        )}
      </div>
    </div>
  );
}

function Plain({ title, revision }: { title: string; revision: Revision }) {
  const { pageTitle, headline, bioText, promoBadgeText, products } = revision;
  return (
    <figure className={pageStyles.frame}>
      <figcaption>{title}</figcaption>
      <div className={pageStyles.paper}>
        <strong>{pageTitle}</strong>
        {headline ? <p className={pageStyles.headline}>{headline}</p> : null}
        {bioText ? <p>{bioText}</p> : null}
        {promoBadgeText ? <p>{promoBadgeText}</p> : null}
        <ul>
          {products.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      </div>
    </figure>
  );
}
