// A figure compared with the period before: "11.8% more than the previous 30 days".
import { useTranslation } from 'react-i18next';
import { useFigures } from './context.ts';
import styles from './figures.module.css';
import { changeOf, formatPercent } from './format.ts';

type Props = {
  current: number;
  previous: number;
  /** "the previous 30 days"; without it, only the change is written. */
  comparison?: string;
  /** Below this, a percentage would mislead: it is omitted. In cents for amounts: 2000 for $20. */
  minimumBase?: number;
};

/** Nothing at all where the base is too small. */
export function Change({ current, previous, comparison, minimumBase = 20 }: Props) {
  const { language } = useFigures();
  const { t } = useTranslation('ui');
  const change = changeOf(current, previous, minimumBase);
  if (change === null) return null;
  const percent = formatPercent(change.percent, language, 1);
  const text = t(`change.${change.direction}`, { percent });
  return (
    <span className={styles.figure}>
      {text}
      {comparison === undefined ? '' : ` ${t(change.direction === 'same' ? 'change.as' : 'change.than', { comparison })}`}
    </span>
  );
}
