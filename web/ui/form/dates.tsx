// Days. The browser's own field: it follows the user's locale, works with every keyboard and on phones, and costs nothing.
import { type FieldProps, TextInput } from './fields.tsx';
import { FieldRow } from './form.tsx';

type DateProps = FieldProps<string | null>;

/** A calendar day, `2026-12-21`. */
export function DateInput({ value, onChange, ...rest }: DateProps) {
  return <TextInput {...rest} type="date" value={value ?? ''} onChange={(text) => onChange(text === '' ? null : text)} />;
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
