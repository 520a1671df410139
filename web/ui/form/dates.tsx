// Days, in the format of the whole app. The browser's own field would show them in the order of its own locale; only its
// calendar is used.
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../controls/button.tsx';
import { useFigures } from '../figures/context.ts';
import { type FieldProps, TextInput } from './fields.tsx';
import styles from './form.module.css';
import { FieldRow } from './form.tsx';
import { readDay, showDay } from './text/day-text.ts';

type DateProps = FieldProps<string | null>;

/** A calendar day, `2026-12-21`: typed in any usual form, or chosen in a calendar. */
export function DateInput({ value, onChange, ...rest }: DateProps) {
  const { language } = useFigures();
  const { t } = useTranslation('ui');
  const calendar = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() => showDay(value, language));
  const [known, setKnown] = useState(value);
  const isUnreadable = text.trim() !== '' && readDay(text, language) === null;
  // The caller may set another day, for example when a form is reset.
  if (value !== known && !isUnreadable) {
    setKnown(value);
    setText(showDay(value, language));
  }
  const set = (day: string | null) => {
    setKnown(day);
    onChange(day);
  };
  const choose = (day: string | null) => {
    set(day);
    setText(showDay(day, language));
  };
  return (
    <div className={styles.day}>
      <TextInput
        {...rest}
        value={text}
        onChange={(next) => {
          setText(next);
          set(readDay(next, language));
        }}
        onBlur={(event) => {
          if (value !== null) setText(showDay(value, language));
          rest.onBlur?.(event);
        }}
        placeholder={showDay('2026-12-21', language)}
        isUnreadable={isUnreadable}
        error={isUnreadable ? t('date.invalid', { example: showDay('2026-12-21', language) }) : rest.error}
        after={<IconButton icon="calendar" size="small" label={t('date.calendar')} onClick={() => calendar.current?.showPicker()} />}
      />
      <input
        ref={calendar}
        className={styles.calendar}
        type="date"
        tabIndex={-1}
        aria-hidden
        value={value ?? ''}
        onChange={(event) => choose(event.currentTarget.value || null)}
      />
    </div>
  );
}

export type DateRange = { from: string | null; to: string | null };

type RangeProps = {
  fromLabel: string;
  toLabel: string;
  value: DateRange;
  onChange: (range: DateRange) => void;
  error?: string | undefined;
};

/** Two days, both inclusive. */
export function DateRangeInput({ fromLabel, toLabel, value, onChange, error }: RangeProps) {
  return (
    <FieldRow>
      <DateInput label={fromLabel} value={value.from} onChange={(from) => onChange({ ...value, from })} error={error} />
      <DateInput label={toLabel} value={value.to} onChange={(to) => onChange({ ...value, to })} />
    </FieldRow>
  );
}
