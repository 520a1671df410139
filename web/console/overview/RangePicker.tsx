// The period and its comparison. `T` opens the presets, and 1–6 choose one.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDay } from '../../ui/figures/dates.ts';
import { type DateRange, DateRangeInput } from '../../ui/form/dates.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Menu, Popover } from '../../ui/overlay/menu.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { comparisons, type Period, presets } from './range.ts';

type Change = (patch: Readonly<Record<string, string | null>>) => void;

export function RangePicker({ period, onChange }: { period: Period; onChange: Change }) {
  const { t } = useTranslation('overview');
  const { language, now } = useFigures();
  const button = useRef<HTMLButtonElement>(null);
  const choose = (range: string) => onChange({ range: range === '30d' ? null : range, from: null, to: null });
  useShortcut({ keys: 't', label: t('range.choose'), run: () => button.current?.click() });
  useDigits(button, (index) => {
    const preset = presets[index];
    if (preset) choose(preset);
  });
  const { range, from, to } = period;
  const day = (value: string) => formatDay(value, language, now);
  return (
    <Menu
      target={
        <Button ref={button} icon="calendar" keys="t" title={t('range.choose')}>
          {range === 'custom' ? t('range.dates', { from: day(from), to: day(to) }) : t(`range.${range}`)}
        </Button>
      }
      items={presets.map((preset, index) => ({
        label: t(`range.${preset}`),
        keys: String(index + 1),
        isChecked: range === preset,
        onSelect: () => choose(preset),
      }))}
    />
  );
}

/** Digits choose an item while the menu of this button is open. */
function useDigits(button: { current: HTMLButtonElement | null }, choose: (index: number) => void): void {
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isOpen = button.current?.getAttribute('aria-expanded') === 'true';
      if (!isOpen || !/^[1-9]$/.test(event.key) || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      latest.current(Number(event.key) - 1);
      button.current?.click();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [button]);
}

/** Two days of one's own choice. */
export function CustomRange({ period, onChange }: { period: Period; onChange: Change }) {
  const { t } = useTranslation('overview');
  return (
    <Popover
      label={t('range.custom')}
      align="end"
      width={340}
      target={({ isOpen, toggle }) => (
        <Button kind="quiet" aria-expanded={isOpen} onClick={toggle}>
          {t('range.customOpen')}
        </Button>
      )}
    >
      {(close) => (
        <CustomForm
          initial={{ from: period.from, to: period.to }}
          onApply={(given) => {
            onChange({ range: null, ...given });
            close();
          }}
        />
      )}
    </Popover>
  );
}

function CustomForm({ initial, onApply }: { initial: DateRange; onApply: (range: { from: string; to: string }) => void }) {
  const { t } = useTranslation('overview');
  const [value, setValue] = useState<DateRange>(initial);
  const [error, setError] = useState<string | undefined>();
  const apply = () => {
    if (value.from === null || value.to === null || value.from > value.to) setError(t('range.invalid'));
    else onApply({ from: value.from, to: value.to });
  };
  return (
    <Stack gap={12}>
      <DateRangeInput fromLabel={t('range.from')} toLabel={t('range.to')} value={value} onChange={setValue} error={error} />
      <Button kind="primary" onClick={apply}>
        {t('range.apply')}
      </Button>
    </Stack>
  );
}

/** What the period is compared with. */
export function ComparisonPicker({ period, onChange }: { period: Period; onChange: Change }) {
  const { t } = useTranslation('overview');
  return (
    <Menu
      target={
        <Button iconAfter="chevronDown" title={t('compare.choose')}>
          {t(`compare.${period.compare}`)}
        </Button>
      }
      items={comparisons.map((compare) => ({
        label: t(`compare.item.${compare}`),
        isChecked: period.compare === compare,
        onSelect: () => onChange({ compare: compare === 'previous' ? null : compare }),
      }))}
    />
  );
}
