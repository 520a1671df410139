// A state as icon, word and colour together: never only by colour.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../icons.tsx';
import styles from './marks.module.css';

export type Tone = 'pending' | 'held' | 'approved' | 'paid' | 'reversed' | 'neutral';

type StatusProps = { tone: Tone; icon: IconName; children: ReactNode };

/** The shape of every state mark; use the typed ones below where they fit. */
export function Status({ tone, icon, children }: StatusProps) {
  return (
    <span className={styles.status} data-tone={tone}>
      <Icon name={icon} size={14} />
      <span className={styles.statusText}>{children}</span>
    </span>
  );
}

const money = {
  pending: ['pending', 'clock'],
  held: ['held', 'gate'],
  approved: ['approved', 'drop'],
  in_transit: ['paid', 'transit'],
  paid: ['paid', 'check'],
  reversed: ['reversed', 'ebb'],
  rejected: ['reversed', 'ebb'],
  failed: ['reversed', 'ebb'],
  returned: ['reversed', 'ebb'],
  cancelled: ['neutral', 'close'],
  unknown: ['held', 'unknown'],
} as const satisfies Record<string, readonly [Tone, IconName]>;

export type MoneyState = keyof typeof money;

/** Colour and icon of a state of money, for charts and lists that draw it themselves. */
export function markOfMoney(state: MoneyState): { tone: Tone; icon: IconName } {
  const [tone, icon] = money[state];
  return { tone, icon };
}

type MoneyStatusProps = {
  state: MoneyState;
  /** Continues the word: "Pending until 21 Dec". */
  detail?: ReactNode;
  /** Explains it: "On hold: unusually fast order". */
  reason?: ReactNode;
};

/** A state of money, with its date or its reason. */
export function MoneyStatus({ state, detail, reason }: MoneyStatusProps) {
  const { t } = useTranslation('ui');
  const { tone, icon } = markOfMoney(state);
  return (
    <Status tone={tone} icon={icon}>
      {t(`money.${state}`)}
      {detail === undefined ? null : <> {detail}</>}
      {reason === undefined ? null : <>: {reason}</>}
    </Status>
  );
}

const affiliate = {
  invited: ['neutral', 'send'],
  pending: ['pending', 'clock'],
  active: ['approved', 'check'],
  suspended: ['held', 'pause'],
  rejected: ['reversed', 'close'],
  archived: ['neutral', 'archive'],
} as const satisfies Record<string, readonly [Tone, IconName]>;

export type AffiliateState = keyof typeof affiliate;

/** The state of an affiliate in the program. */
export function AffiliateStatus({ state }: { state: AffiliateState }) {
  const { t } = useTranslation('ui');
  const [tone, icon] = affiliate[state];
  return (
    <Status tone={tone} icon={icon}>
      {t(`affiliate.${state}`)}
    </Status>
  );
}

const payout = {
  queued: ['neutral', 'clock'],
  sending: ['paid', 'transit'],
  sent: ['paid', 'transit'],
  paid: ['paid', 'check'],
  failed: ['reversed', 'close'],
  returned: ['reversed', 'ebb'],
  reconcile_required: ['held', 'unknown'],
  cancelled: ['neutral', 'close'],
} as const satisfies Record<string, readonly [Tone, IconName]>;

export type PayoutState = keyof typeof payout;

/** The state of one payout. */
export function PayoutStatus({ state }: { state: PayoutState }) {
  const { t } = useTranslation('ui');
  const [tone, icon] = payout[state];
  return (
    <Status tone={tone} icon={icon}>
      {t(`payout.${state}`)}
    </Status>
  );
}
