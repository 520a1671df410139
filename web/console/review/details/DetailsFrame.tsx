// The frame of an open item: its title, the content, what to check before deciding, and the decision at the bottom.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../ui/icons.tsx';
import type { Item } from '../kind-of.ts';
import styles from '../review.module.css';

/** The heading of the open item gets the focus after a decision. */
export const headingId = 'review-item';

type Props = {
  item: Item;
  title: ReactNode;
  detail?: ReactNode;
  actions?: ReactNode;
  /** Above the risks. */
  aside?: ReactNode;
  decisions: ReactNode;
  children: ReactNode;
};

export function DetailsFrame({ item, title, detail, actions, aside, decisions, children }: Props) {
  const { t } = useTranslation('review');
  return (
    <section className={styles.details} aria-label={t('details')}>
      <header className={styles.detailsHeader}>
        <h2 className={styles.detailsTitle} id={headingId} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        {detail === undefined ? null : <span className={styles.detailsDetail}>{detail}</span>}
        {actions === undefined ? null : <span className={styles.detailsActions}>{actions}</span>}
      </header>
      <div className={styles.content}>{children}</div>
      <div className={styles.aside}>
        <div className={styles.asideContent}>
          {aside}
          <Risks item={item} />
        </div>
        {decisions}
      </div>
    </section>
  );
}

/** The restricted phrases of a page are listed with their fields above. */
function Risks({ item }: { item: Item }) {
  const { t } = useTranslation('review');
  const risks = item.kind === 'page' ? item.risks.filter(({ kind }) => kind !== 'restricted_phrase') : item.risks;
  if (risks.length === 0 && item.risks.length > 0) return null;
  return (
    <div>
      <h3 className={styles.asideTitle}>{t('risks')}</h3>
      {risks.length === 0 ? (
        <p className={styles.calm}>{t('noRisks')}</p>
      ) : (
        <ul className={styles.risks}>
          {risks.map(({ kind, detail }) => (
            <li key={`${kind}:${detail}`}>
              <Icon name="warning" size={16} />
              {t(`fact.${kind}`, { detail })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
