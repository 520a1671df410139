// What happens to an amount over time: Earned, Pending until, Ready to pay, Paid. One of the steps is now.
import type { ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { type MoneyState, markOfMoney } from '../marks/status.tsx';
import styles from './path.module.css';

export type TimelineStep = {
  id: string;
  title: string;
  detail?: ReactNode;
  state: 'done' | 'now' | 'ahead';
  /** The state of money that this step is. */
  money: MoneyState;
};

export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {steps.map((step) => {
        const { tone, icon } = markOfMoney(step.money);
        return (
          <li
            key={step.id}
            className={styles.step}
            data-state={step.state}
            data-tone={tone}
            aria-current={step.state === 'now' ? 'step' : undefined}
          >
            <div className={styles.stepTitle}>
              <Icon name={step.state === 'done' ? 'check' : icon} size={15} />
              {step.title}
            </div>
            <div className={styles.stepDetail}>{step.detail}</div>
          </li>
        );
      })}
    </ol>
  );
}
