// Choosing one of a list with the control of the device: on phones, its picker; with a keyboard, typing finds an entry. It is
// much smaller than the searchable list of select.tsx.
import '@mantine/core/styles/Input.layer.css';
import { NativeSelect as BaseSelect } from '@mantine/core';
import { Icon } from '../icons.tsx';
import { type FieldProps, fieldProps } from './fields.tsx';

type Props<Id extends string> = FieldProps<Id | null> & {
  options: readonly { value: Id; label: string }[];
  /** The first entry, which can't be chosen. */
  placeholder: string;
  autoComplete?: string;
};

export function NativeSelect<Id extends string>(props: Props<Id>) {
  const { options, value, onChange, placeholder, autoComplete } = props;
  return (
    <BaseSelect
      {...fieldProps(props)}
      data={[{ value: '', label: placeholder }, ...options]}
      value={value ?? ''}
      onChange={(event) => onChange(options.find((option) => option.value === event.currentTarget.value)?.value ?? null)}
      rightSection={<Icon name="chevronDown" size={16} />}
      autoComplete={autoComplete}
    />
  );
}
