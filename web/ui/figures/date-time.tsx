// A moment or a day. Hover, focus or tap shows it in the user's time zone and in UTC.
import { Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useFigures } from './context.ts';
import { formatDate, formatDateTime, formatDay, formatNear, formatTime, nameOfZone } from './dates.ts';
import styles from './figures.module.css';

type Props = {
  value: string | number;
  /** `near`: relative when near, otherwise date and time. `date`: only the day. `exact`: always date and time. */
  as?: 'near' | 'date' | 'exact' | 'time';
  /** Reachable with Tab. Off in tables, where every row would add a stop. */
  isFocusable?: boolean;
};

export function DateTime({ value, as = 'near', isFocusable = false }: Props) {
  const figures = useFigures();
  const [isHovered, setIsHovered] = useState(false);
  const time = (
    <time
      className={styles.time}
      dateTime={new Date(value).toISOString()}
      tabIndex={isFocusable ? 0 : undefined}
      onPointerEnter={() => setIsHovered(true)}
      onFocus={() => setIsHovered(true)}
    >
      {textOf(value, as, figures)}
    </time>
  );
  // The tooltip is mounted at the first hover: a table with 200 rows has none until then.
  if (!isHovered) return time;
  return (
    <Tooltip label={<BothZones value={value} />} defaultOpened openDelay={150} events={{ hover: true, focus: true, touch: true }}>
      {time}
    </Tooltip>
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

function BothZones({ value }: { value: string | number }) {
  const { language, timezone } = useFigures();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([timezone, own, 'UTC'])];
  return (
    <dl className={styles.zones}>
      {zones.map((zone) => (
        <div key={zone}>
          <dt>{nameOfZone(zone)}</dt>
          <dd>{formatDateTime(value, { language, timezone: zone })}</dd>
        </div>
      ))}
    </dl>
  );
}
