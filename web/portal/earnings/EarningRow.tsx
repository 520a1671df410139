// One earning in a list: what was sold, its state with the date, and the amount that remains.
import type { ReactNode } from 'react';
import { Money } from '../../ui/figures/money.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { type MoneyState, markOfMoney } from '../../ui/marks/status.tsx';
import { useAccount } from '../session/account.ts';
import styles from './earnings.module.css';
import { type Earning, useEarningTexts } from './use-earning-texts.ts';

/** The state of money that a state of an earning is drawn as. */
export function moneyStateOf(state: Earning['state']): MoneyState {
  return state === 'ready' ? 'approved' : state;
}

export function EarningRow({ earning, href, detail }: { earning: Earning; href: string; detail?: ReactNode }) {
  const { currency } = useAccount();
  const { titleOf, stateOf } = useEarningTexts();
  const cents = earning.amountCents - earning.reversedCents;
  return (
    <EntryRow money={moneyStateOf(earning.state)} title={titleOf(earning)} detail={detail ?? stateOf(earning)} href={href}>
      <Money cents={cents} currency={currency} isSigned />
    </EntryRow>
  );
}

type Props = { money: MoneyState; title: string; detail: ReactNode; href: string; children: ReactNode };

/** The form of a row, including returns. The title is a link that covers it. */
export function EntryRow({ money, title, detail, href, children }: Props) {
  const { tone, icon } = markOfMoney(money);
  return (
    <li className={styles.row}>
      <span className={styles.mark} data-tone={tone}>
        <Icon name={icon} size={18} />
      </span>
      <span className={styles.text}>
        <Link href={href} className={styles.link}>
          {title}
        </Link>
        <span className={styles.detail}>{detail}</span>
      </span>
      <span className={styles.amount}>{children}</span>
    </li>
  );
}
