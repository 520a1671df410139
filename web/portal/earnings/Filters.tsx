import { useTranslation } from 'react-i18next';
import styles from './earnings.module.css';

export const states = ['pending', 'held', 'ready', 'paid', 'reversed'] as const;
type State = (typeof states)[number];

/** One state, or all. */
export function Filters({ value, onChange }: { value: State | undefined; onChange: (state: State | undefined) => void }) {
  const { t } = useTranslation('portal-earnings');
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">{t('filter.label')}</legend>
      {[undefined, ...states].map((state) => (
        <button key={state ?? 'all'} type="button" className={styles.filter} aria-pressed={state === value} onClick={() => onChange(state)}>
          {t(`filter.${state ?? 'all'}`)}
        </button>
      ))}
    </fieldset>
  );
}
