// Text fields. Label above, help below, unit inside; an error takes the place of the help.
import '@mantine/core/styles/Input.layer.css';
import { Textarea as BaseTextArea, TextInput as BaseTextInput } from '@mantine/core';
import type { FocusEventHandler, KeyboardEventHandler, ReactNode, Ref } from 'react';
import { useFigures } from '../figures/context.ts';
import { formatCount } from '../figures/format.ts';
import styles from './form.module.css';

export type FieldProps<Value> = {
  label: ReactNode;
  value: Value;
  onChange: (value: Value) => void;
  help?: ReactNode;
  error?: ReactNode;
  isRequired?: boolean;
  isDisabled?: boolean;
  /** For labels that the layout already shows. */
  isLabelHidden?: boolean;
  onBlur?: FocusEventHandler<HTMLElement>;
  /** The path that errors of the server name; the form focuses the field by it. */
  name?: string;
};

/** The parts that every field passes to the component library. */
export function fieldProps<Value>(props: Omit<FieldProps<Value>, 'onChange'>) {
  const { label, help, error, isRequired = false, isDisabled = false, isLabelHidden = false, onBlur, name } = props;
  return {
    label: isLabelHidden ? undefined : label,
    'aria-label': isLabelHidden && typeof label === 'string' ? label : undefined,
    description: error ? undefined : help,
    error: error || undefined,
    withAsterisk: false,
    required: isRequired,
    disabled: isDisabled,
    onBlur,
    name,
    'data-field': name,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  };
}

type TextInputProps = FieldProps<string> & {
  type?: 'text' | 'email' | 'url' | 'search' | 'tel' | 'password';
  placeholder?: string;
  /** Inside the field, before or after the text: an icon or a unit. */
  before?: ReactNode;
  after?: ReactNode;
  autoComplete?: string;
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'url' | 'search';
  maxLength?: number;
  /** Codes and addresses. */
  isMono?: boolean;
  hasAutoFocus?: boolean;
  /** What was typed has no meaning yet; the form is not sent before it is corrected. */
  isUnreadable?: boolean;
  onKeyDown?: KeyboardEventHandler<HTMLInputElement>;
  ref?: Ref<HTMLInputElement>;
};

export function TextInput(props: TextInputProps) {
  const { value, onChange, type = 'text', placeholder, before, after, autoComplete = 'off', inputMode, maxLength, isMono, ref } = props;
  return (
    <BaseTextInput
      {...fieldProps(props)}
      ref={ref}
      type={type}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={props.onKeyDown}
      placeholder={placeholder}
      leftSection={before}
      rightSection={after}
      rightSectionWidth={after === undefined ? undefined : 'auto'}
      leftSectionWidth={before === undefined ? undefined : 34}
      autoComplete={autoComplete}
      inputMode={inputMode}
      maxLength={maxLength}
      data-mono={isMono || undefined}
      data-unreadable={props.isUnreadable || undefined}
      data-autofocus={props.hasAutoFocus || undefined}
      dir={type === 'text' && !isMono ? 'auto' : undefined}
      spellCheck={type === 'text' && !isMono}
    />
  );
}

type TextAreaProps = FieldProps<string> & { placeholder?: string; maxLength?: number; rows?: number; hasAutoFocus?: boolean };

/** Several lines; with `maxLength` a counter appears once the text is near its limit. */
export function TextArea(props: TextAreaProps) {
  const { value, onChange, placeholder, maxLength, rows = 3, help, hasAutoFocus } = props;
  const { language } = useFigures();
  const isNear = maxLength !== undefined && value.length > maxLength * 0.8;
  const counter = isNear ? `${formatCount(value.length, language)} / ${formatCount(maxLength, language)}` : undefined;
  const description = counter === undefined ? help : <CounterLine help={help} counter={counter} />;
  return (
    <BaseTextArea
      {...fieldProps(props)}
      description={props.error ? undefined : description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      placeholder={placeholder}
      maxLength={maxLength}
      minRows={rows}
      autosize
      dir="auto"
      data-autofocus={hasAutoFocus || undefined}
    />
  );
}

function CounterLine({ help, counter }: { help: ReactNode; counter: string }) {
  return (
    <span className={styles.counterLine}>
      <span>{help}</span>
      <span>{counter}</span>
    </span>
  );
}
