// Tabs in two forms: views of one list or parts of one page. Arrow keys move, the caller keeps the choice in the URL.
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../marks/tag.tsx';
import styles from './tabs.module.css';

export type Tab<Id extends string = string> = { id: Id; label: string; count?: number | undefined; hasAttention?: boolean };

type Props<Id extends string> = {
  label: string;
  tabs: readonly Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  /** After the last tab, such as "Save view". */
  after?: ReactNode;
  /** The id of the element that shows the chosen tab. */
  panelId?: string;
};

export function Tabs<Id extends string>({ label, tabs, value, onChange, after, panelId }: Props<Id>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const next = nextIndex(
      event.key,
      tabs.findIndex(({ id }) => id === value),
      tabs.length,
    );
    const tab = next === null ? undefined : tabs[next];
    if (tab === undefined || next === null) return;
    event.preventDefault();
    onChange(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div className={styles.bar}>
      <div className={styles.tabs} role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            className={styles.tab}
            aria-selected={tab.id === value}
            aria-controls={panelId}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count === undefined ? null : <TabCount tab={tab} />}
          </button>
        ))}
      </div>
      {after === undefined ? null : <div className={styles.after}>{after}</div>}
    </div>
  );
}

function TabCount({ tab }: { tab: Tab }) {
  const { i18n } = useTranslation('ui');
  return <Badge tone={tab.hasAttention ? 'attention' : 'neutral'}>{new Intl.NumberFormat(i18n.language).format(tab.count ?? 0)}</Badge>;
}

function nextIndex(key: string, current: number, length: number): number | null {
  if (key === 'ArrowRight') return (current + 1) % length;
  if (key === 'ArrowLeft') return (current - 1 + length) % length;
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : null;
}

/** A choice between two to four short options, such as day, week, month. */
export function Segments<Id extends string>({ label, tabs, value, onChange }: Omit<Props<Id>, 'after' | 'panelId'>) {
  return (
    <fieldset className={styles.segments}>
      <legend className="visually-hidden">{label}</legend>
      {tabs.map((tab) => (
        <button key={tab.id} type="button" className={styles.segment} aria-pressed={tab.id === value} onClick={() => onChange(tab.id)}>
          {tab.label}
        </button>
      ))}
    </fieldset>
  );
}
