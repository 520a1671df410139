// The first steps of a new program. Each is completed by what exists, never by a click.
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { useTarget } from './links.ts';
import styles from './overview.module.css';
import type { Overview } from './overview-types.ts';
import { steps, stepTargets } from './targets.ts';

export function Checklist({ checklist }: { checklist: Overview['checklist'] }) {
  const { t } = useTranslation('overview');
  const hrefOf = useTarget();
  const done = steps.filter((step) => checklist[step]).length;
  const next = steps.find((step) => !checklist[step]);
  return (
    <Card title={t('checklist.title')} detail={t('checklist.done', { done, total: steps.length })} isFlush>
      <progress
        className={styles.progress}
        max={steps.length}
        value={done}
        aria-label={t('checklist.done', { done, total: steps.length })}
      />
      <ol className={styles.steps}>
        {steps.map((step, index) => {
          const isDone = checklist[step];
          const href = isDone ? undefined : hrefOf(stepTargets[step]);
          return (
            <li key={step} className={styles.step} data-done={isDone || undefined} data-next={step === next || undefined}>
              <span className={styles.stepMark} aria-hidden>
                {isDone ? <Icon name="check" size={16} /> : index + 1}
              </span>
              <span className={styles.itemText}>
                <span className={styles.itemTitle}>
                  {href === undefined ? t(`checklist.${step}`) : <Link href={href}>{t(`checklist.${step}`)}</Link>}
                </span>
                <span className={styles.itemDetail}>{isDone ? t('checklist.isDone') : t(`checklist.${step}Text`)}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
