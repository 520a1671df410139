import type { ReactNode } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import styles from './security.module.css';

type Props = { icon: IconName; title: string; mark?: ReactNode; detail: ReactNode; actions: ReactNode; children?: ReactNode };

/** A row of a card: what it is, when it was used, and what can be done with it. */
export function Item({ icon, title, mark, detail, actions, children }: Props) {
  return (
    <li className={styles.item}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <div className={styles.text}>
        <div className={styles.title}>
          <span>{title}</span> {mark}
        </div>
        <div className={styles.detail}>{detail}</div>
      </div>
      <div className={styles.actions}>{actions}</div>
      {children}
    </li>
  );
}

type ActionProps = { label: string; about: string; isBusy?: boolean; onClick: () => void };

/** A button of a row; its name for screen readers says which row. */
export function ItemAction({ label, about, isBusy = false, onClick }: ActionProps) {
  return (
    <Button kind="quiet" size="small" isBusy={isBusy} onClick={onClick} aria-label={`${label}: ${about}`}>
      {label}
    </Button>
  );
}
