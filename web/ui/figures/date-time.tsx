// A moment or a day. Hover, focus or tap shows it in the user's time zone and in UTC.
import { useId, useRef } from 'react';
import { onDemand } from '../overlay/on-demand.tsx';
import { useFigures } from './context.ts';
import { formatDate, formatDateTime, formatDay, formatNear, formatTime } from './dates.ts';
import styles from './figures.module.css';
import { useTooltip } from './use-tooltip.ts';

const ZonesTooltip = onDemand(async () => (await import('../overlay/content/zones-tooltip.tsx')).ZonesTooltip);

type Props = {
  value: string | number;
  /** `near`: relative when near, otherwise date and time. `date`: only the day. `exact`: always date and time. */
  as?: 'near' | 'date' | 'exact' | 'time';
  /** Reachable with Tab. Off in tables, where every row would add a stop. */
  isFocusable?: boolean;
};

export function DateTime({ value, as = 'near', isFocusable = false }: Props) {
  const figures = useFigures();
  const id = useId();
  const anchor = useRef<HTMLTimeElement>(null);
  const { isOpen, isUsed, close, handlers } = useTooltip();
  return (
    <>
      <time
        ref={anchor}
        className={styles.time}
        dateTime={new Date(value).toISOString()}
        tabIndex={isFocusable ? 0 : undefined}
        aria-describedby={isOpen ? id : undefined}
        {...handlers}
      >
        {textOf(value, as, figures)}
      </time>
      {isUsed ? <ZonesTooltip isOpen={isOpen} onClose={close} id={id} anchor={anchor} value={value} /> : null}
    </>
  );
}

/** A calendar day of the API, `2026-12-21`. */
export function Day({ value }: { value: string }) {
  const { language, now } = useFigures();
  return (
    <time className={styles.time} dateTime={value}>
      {formatDay(value, language, now)}
    </time>
  );
}

function textOf(value: string | number, as: Props['as'], figures: ReturnType<typeof useFigures>): string {
  if (as === 'near') return formatNear(value, figures.now, figures);
  if (as === 'date') return formatDate(value, figures, figures.now);
  return as === 'time' ? formatTime(value, figures) : formatDateTime(value, figures, figures.now);
}
