// The period and its comparison. `T` opens the presets, and 1–6 choose one.
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadFile } from '../../frame/lazy-screen.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDay } from '../../ui/figures/dates.ts';
import { Menu } from '../../ui/overlay/menu.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { comparisons, type Period, presets } from './range.ts';

const RangeDialog = lazy(async () => ({ default: (await loadFile(() => import('./RangeDialog.tsx'))).RangeDialog }));

type Change = (patch: Readonly<Record<string, string | null>>) => void;

export function RangePicker({ period, onChange }: { period: Period; onChange: Change }) {
  const { t } = useTranslation('overview');
  const { language, now } = useFigures();
  const button = useRef<HTMLButtonElement>(null);
  const [isCustom, setIsCustom] = useState(false);
  const choose = (range: string) => onChange({ range: range === '30d' ? null : range, from: null, to: null });
  useShortcut({ keys: 't', label: t('range.choose'), run: () => button.current?.click() });
  useDigits(button, (index) => {
    const preset = presets[index];
    if (preset) choose(preset);
    else if (index === presets.length) setIsCustom(true);
  });
  const { range, from, to } = period;
  const day = (value: string) => formatDay(value, language, now);
  const items = presets.map((preset, index) => ({
    label: t(`range.${preset}`),
    keys: String(index + 1),
    isChecked: range === preset,
    onSelect: () => choose(preset),
  }));
  const custom = { label: t('range.customOpen'), keys: String(items.length + 1), onSelect: () => setIsCustom(true) };
  return (
    <>
      <Menu
        target={
          <Button ref={button} icon="calendar" keys="t" title={t('range.choose')}>
            {range === 'custom' ? t('range.dates', { from: day(from), to: day(to) }) : t(`range.${range}`)}
          </Button>
        }
        items={[...items, { kind: 'divider' }, custom]}
      />
      {isCustom ? (
        <Suspense fallback={null}>
          <RangeDialog
            initial={{ from, to }}
            onClose={() => setIsCustom(false)}
            onApply={(given) => {
              onChange({ range: null, ...given });
              setIsCustom(false);
            }}
          />
        </Suspense>
      ) : null}
    </>
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
