// Switches and checkboxes. The label is next to them; an error replaces the help.
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Checkbox as BaseCheckbox, Switch as BaseSwitch } from '@mantine/core';
import type { FieldProps } from './fields.tsx';

type ToggleProps = Omit<FieldProps<boolean>, 'isRequired' | 'isLabelHidden'>;

/** Takes effect immediately, or with the form: a setting that is on or off. */
export function Switch({ label, value, onChange, help, error, isDisabled = false, name }: ToggleProps) {
  return (
    <BaseSwitch
      label={label}
      description={help}
      error={error || undefined}
      checked={value}
      disabled={isDisabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
      name={name}
      data-field={name}
      withThumbIndicator={false}
    />
  );
}

type CheckboxProps = ToggleProps & { isMixed?: boolean };

/** One of several choices, or a confirmation. */
export function Checkbox({ label, value, onChange, help, error, isDisabled = false, isMixed = false, name }: CheckboxProps) {
  return (
    <BaseCheckbox
      label={label}
      description={help}
      error={error || undefined}
      checked={value}
      indeterminate={isMixed}
      disabled={isDisabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
      name={name}
      data-field={name}
    />
  );
}
