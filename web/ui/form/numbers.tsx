// Whole numbers with their unit, such as days. Null while the field is empty.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldProps, TextInput } from './fields.tsx';
import styles from './form.module.css';

type Props = FieldProps<number | null> & { unit?: string; placeholder?: string };

export function WholeNumberInput({ value, onChange, unit, ...rest }: Props) {
  const { t } = useTranslation('ui');
  const [text, setText] = useState(() => textOf(value));
  const [known, setKnown] = useState(value);
  const [isInvalid, setIsInvalid] = useState(false);
  // The caller may set another number, for example when a form is reset.
  if (value !== known && !isInvalid) {
    setKnown(value);
    setText(textOf(value));
  }
  const change = (next: string) => {
    setText(next);
    const plain = next.trim();
    const isWrong = plain !== '' && !/^\d{1,9}$/.test(plain);
    setIsInvalid(isWrong);
    const number = isWrong || plain === '' ? null : Number(plain);
    setKnown(number);
    onChange(number);
  };
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={change}
      inputMode="numeric"
      isUnreadable={isInvalid}
      error={isInvalid ? t('fault.number') : rest.error}
      after={unit === undefined ? undefined : <span className={styles.unit}>{unit}</span>}
    />
  );
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value);
}
