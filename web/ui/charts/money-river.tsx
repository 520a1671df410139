// The river: where a program's money is, in one band whose widths are amounts. A list of links; the drawing is decoration.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../figures/context.ts';
import { formatMoney } from '../figures/format.ts';
import { Icon } from '../icons.tsx';
import { Link } from '../layout/link.tsx';
import { useFittingColumns } from '../layout/use-fitting-columns.ts';
import { useIsPhone } from '../layout/use-media.ts';
import { type MoneyState, markOfMoney } from '../marks/status.tsx';
import styles from './river.module.css';
import { riverOutline, riverParts } from './river-geometry.ts';
import { useWidth } from './use-size.ts';

export type RiverState = Extract<MoneyState, 'pending' | 'held' | 'approved' | 'in_transit' | 'paid'>;

export type RiverAmount = {
  state: RiverState;
  cents: number;
  /** "next 4 Dec", "84 affiliates". */
  note?: ReactNode;
  /** The commissions or payouts of this part. */
  href?: string;
  /** Instead of the state's word: "Paid in 30 days". */
  label?: string;
};

type Props = {
  /** In the fixed order: pending, on hold, ready to pay, in transit, paid. */
  parts: readonly RiverAmount[];
  currency: string;
  /** Below the band, for example negative balances. */
  footer?: ReactNode;
};

const height = 54;
const surface = 13;

export function MoneyRiver({ parts, currency, footer }: Props) {
  const isPhone = useIsPhone();
  const isDry = parts.every(({ cents }) => cents === 0);
  return (
    <div className={styles.river}>
      {isPhone ? <RiverLines parts={parts} currency={currency} /> : <RiverBand parts={parts} currency={currency} isDry={isDry} />}
      {isDry ? <DryNote /> : null}
      {footer === undefined ? null : <div className={styles.footer}>{footer}</div>}
    </div>
  );
}

function RiverBand({ parts, currency, isDry }: Pick<Props, 'parts' | 'currency'> & { isDry: boolean }) {
  const [band, width] = useWidth<HTMLDivElement>();
  const amounts = useFittingColumns<HTMLDListElement>(parts.length);
  const shapes = riverParts(
    parts.map(({ cents }) => cents),
    width,
  );
  return (
    <>
      <dl className={styles.amounts} ref={amounts}>
        {parts.map((part) => (
          <Amount key={part.state} part={part} currency={currency} />
        ))}
      </dl>
      <div className={styles.band} ref={band}>
        <svg width={width} height={height} aria-hidden>
          {isDry ? <path className={styles.bed} d={riverOutline({ x: 0, width }, surface + 8, height)} /> : null}
          {shapes.map((shape, index) => {
            const part = parts[index];
            if (!shape || !part) return null;
            return <path key={part.state} className={styles.water} data-state={part.state} d={riverOutline(shape, surface, height)} />;
          })}
        </svg>
      </div>
    </>
  );
}

function Amount({ part, currency }: { part: RiverAmount; currency: string }) {
  const { language } = useFigures();
  const { tone, icon } = markOfMoney(part.state);
  return (
    <div className={styles.amount} data-tone={tone} data-state={part.state}>
      <dt className={styles.label}>
        <Icon name={icon} size={15} />
        <PartLabel part={part} />
      </dt>
      <dd className={styles.value}>{formatMoney(part.cents, currency, language)}</dd>
      <dd className={styles.note}>{part.note}</dd>
    </div>
  );
}

/** The link covers its whole part. */
function PartLabel({ part }: { part: RiverAmount }) {
  const { t } = useTranslation('ui');
  const text = part.label ?? t(`money.${part.state}`);
  if (part.href === undefined) return <span>{text}</span>;
  return (
    <Link href={part.href} className={styles.link}>
      {text}
    </Link>
  );
}

/** On phones: one line per part, each with its own stretch of water. */
function RiverLines({ parts, currency }: Pick<Props, 'parts' | 'currency'>) {
  const { language } = useFigures();
  const total = parts.reduce((sum, { cents }) => sum + Math.max(0, cents), 0);
  return (
    <dl className={styles.lines}>
      {parts.map((part) => {
        const { tone, icon } = markOfMoney(part.state);
        return (
          <div key={part.state} className={styles.line} data-tone={tone}>
            <dt className={styles.label}>
              <Icon name={icon} size={15} />
              <PartLabel part={part} />
            </dt>
            <dd className={styles.lineValue}>{formatMoney(part.cents, currency, language)}</dd>
            <dd className={styles.note}>{part.note}</dd>
            <dd className={styles.lineBar} aria-hidden>
              <span data-state={part.state} style={{ width: total === 0 ? 0 : `${(Math.max(0, part.cents) / total) * 100}%` }} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function DryNote() {
  const { t } = useTranslation('ui');
  return <p className={styles.dry}>{t('river.empty')}</p>;
}
