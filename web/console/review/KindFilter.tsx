import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { Count } from '../../ui/figures/count.tsx';
import styles from './review.module.css';
import { type ReviewKind, reviewKinds } from './use-queue.ts';

type Props = { kind: ReviewKind | null; counts: Result<'review.counts'> | undefined; onChange: (kind: ReviewKind | null) => void };

/** One type or all, each with its number. */
export function KindFilter({ kind, counts, onChange }: Props) {
  const { t } = useTranslation('review');
  const shown = reviewKinds.filter((each) => each === kind || (counts?.[each] ?? 0) > 0);
  if (shown.length === 0) return null;
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">{t('filter')}</legend>
      <button type="button" className={styles.chip} aria-pressed={kind === null} onClick={() => onChange(null)}>
        {t('all')}
      </button>
      {shown.map((each) => (
        <button key={each} type="button" className={styles.chip} aria-pressed={kind === each} onClick={() => onChange(each)}>
          {t(`kinds.${each}`)} <span className={styles.chipCount}>{counts ? <Count value={counts[each]} /> : null}</span>
        </button>
      ))}
    </fieldset>
  );
}
