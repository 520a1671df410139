// The tooltip of a date, in the time zones that matter to the reader. ../../figures/date-time.tsx loads this file on demand.
import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';
import { useFigures } from '../../figures/context.ts';
import { formatDateTime, nameOfZone } from '../../figures/dates.ts';
import styles from '../../figures/figures.module.css';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  /** Of the text, which describes the date. */
  id: string;
  anchor: RefObject<HTMLElement | null>;
  value: string | number;
};

const events = { hover: false, focus: false, touch: false };

export function ZonesTooltip({ isOpen, id, anchor, value }: Props) {
  return <Tooltip target={anchor} opened={isOpen} events={events} label={<Zones id={id} value={value} />} />;
}

function Zones({ id, value }: { id: string; value: string | number }) {
  const { language, timezone } = useFigures();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([timezone, own, 'UTC'])];
  return (
    <dl id={id} className={styles.zones}>
      {zones.map((zone) => (
        <div key={zone}>
          <dt>{nameOfZone(zone)}</dt>
          <dd>{formatDateTime(value, { language, timezone: zone })}</dd>
        </div>
      ))}
    </dl>
  );
}
