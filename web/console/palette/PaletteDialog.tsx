// The dialog of the palette: a combobox with grouped options.
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../dialog/Dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Kbd } from '../../ui/marks/kbd.tsx';
import { type Entry, filterEntries } from './entries.ts';
import styles from './palette.module.css';
import { useEntries } from './use-entries.ts';
import { useFound } from './use-found.ts';

const groups = ['affiliates', 'orders', 'products', 'coupons', 'actions', 'goTo', 'switchTo'] as const;

type Props = { isOpen: boolean; onClose: () => void };

export function PaletteDialog({ isOpen, onClose }: Props) {
  const { t } = useTranslation('shell');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} label={t('palette.label')} place="top">
      <Search onClose={onClose} />
    </Dialog>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const listId = useId();
  const [search, setSearch] = useState('');
  const [activeId, setActiveId] = useState<string | null>(null);
  const found = useFound(search);
  // Filtered in the render of each key press: Enter right after typing must never run a result of the previous text.
  const own = filterEntries(useEntries(), search);
  const entries = groups.flatMap((group) => [...found.entries, ...own].filter((entry) => entry.group === group));
  const active = entries.find(({ id }) => id === activeId) ?? entries[0];
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') choose(active);
    else if (event.key === 'ArrowDown') setActiveId(neighbour(entries, active, 1));
    else if (event.key === 'ArrowUp') setActiveId(neighbour(entries, active, -1));
    else return;
    event.preventDefault();
  };
  const status = found.isSearching ? t('palette.searching') : t('palette.results', { count: entries.length });
  return (
    <>
      <div className={styles.search}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={active ? `${listId}-${active.id}` : undefined}
          aria-label={t('palette.label')}
          placeholder={t('palette.placeholder')}
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setActiveId(null);
          }}
          onKeyDown={press}
        />
      </div>
      <Results id={listId} entries={entries} active={active} onPoint={setActiveId} onChoose={choose} />
      {entries.length === 0 && !found.isSearching ? <p className={styles.none}>{t('palette.none', { search })}</p> : null}
      {found.hasFailed ? <p className={styles.none}>{t('palette.failed')}</p> : null}
      <span role="status" className="visually-hidden">
        {status}
      </span>
      <Footer />
    </>
  );
}

type ResultsProps = {
  id: string;
  entries: readonly Entry[];
  active: Entry | undefined;
  onPoint: (id: string) => void;
  onChoose: (entry: Entry) => void;
};

function Results({ id, entries, active, onPoint, onChoose }: ResultsProps) {
  const { t } = useTranslation('shell');
  return (
    <div className={styles.results} role="listbox" id={id} aria-label={t('palette.label')}>
      {groups.map((group) => {
        const members = entries.filter((entry) => entry.group === group);
        return members.length === 0 ? null : (
          // biome-ignore lint/a11y/useSemanticElements: a listbox has no element for its groups.
          <div key={group} role="group" aria-label={t(`palette.${group}`)}>
            <div className={styles.group} aria-hidden>
              {t(`palette.${group}`)}
            </div>
            {members.map((entry) => (
              <Option
                key={entry.id}
                id={`${id}-${entry.id}`}
                entry={entry}
                isActive={entry === active}
                onPoint={onPoint}
                onChoose={onChoose}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

type OptionProps = {
  id: string;
  entry: Entry;
  isActive: boolean;
  onPoint: (id: string) => void;
  onChoose: (entry: Entry) => void;
};

function Option({ id, entry, isActive, onPoint, onChoose }: OptionProps) {
  const scroll = (element: HTMLElement | null) => {
    if (isActive) element?.scrollIntoView({ block: 'nearest' });
  };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field chooses it.
    <div
      ref={scroll}
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      onPointerMove={() => onPoint(entry.id)}
      onClick={() => onChoose(entry)}
    >
      <Icon name={entry.icon} size={18} />
      <bdi className={styles.label}>{entry.label}</bdi>
      {entry.detail === undefined ? null : <span className={styles.detail}>{entry.detail}</span>}
      {entry.keys === undefined ? null : <Kbd keys={entry.keys} />}
    </div>
  );
}

function Footer() {
  const { t } = useTranslation('shell');
  return (
    <div className={styles.footer} aria-hidden>
      <Kbd keys="up" />
      <Kbd keys="down" />
      {t('palette.footerMove')}
      <Kbd keys="enter" />
      {t('palette.footerOpen')}
      <Kbd keys="esc" />
      {t('palette.footerClose')}
    </div>
  );
}

function neighbour(entries: readonly Entry[], active: Entry | undefined, by: 1 | -1): string | null {
  const index = active ? entries.indexOf(active) : -1;
  return entries.at((index + by) % Math.max(1, entries.length))?.id ?? null;
}
