// Amounts and rates. Users type major units ("12.50"); the caller gets cents, or the rate with its unit.
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../figures/context.ts';
import { editableMoney, formatMoney, parseMoney } from '../figures/format.ts';
import { type FieldProps, TextInput } from './fields.tsx';
import styles from './form.module.css';

type MoneyProps = FieldProps<number | null> & {
  currency: string;
  /** From here on, the amount is repeated below the field with its separators. In cents. */
  repeatFrom?: number;
  /** After the currency: "per order". */
  unit?: string;
  hasAutoFocus?: boolean;
};

export function MoneyInput({ currency, value, onChange, repeatFrom = 100_000, unit, ...rest }: MoneyProps) {
  const { language } = useFigures();
  const { t } = useTranslation('ui');
  const [text, setText] = useState(() => (value === null ? '' : editableMoney(value, currency, language)));
  const [isInvalid, setIsInvalid] = useState(false);
  // The caller may set another amount, for example when a form is reset.
  const [known, setKnown] = useState(value);
  if (value !== known && !isInvalid) {
    setKnown(value);
    setText(value === null ? '' : editableMoney(value, currency, language));
  }
  const change = (next: string) => {
    setText(next);
    const cents = parseMoney(next, currency, language);
    const isWrong = Number.isNaN(cents);
    setIsInvalid(isWrong);
    setKnown(isWrong ? null : cents);
    onChange(isWrong ? null : cents);
  };
  const isLarge = value !== null && Math.abs(value) >= repeatFrom;
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={change}
      inputMode="decimal"
      isUnreadable={isInvalid}
      error={isInvalid ? t('money.invalid', { example: editableMoney(1250, currency, language) }) : rest.error}
      help={isLarge ? <LargeAmount text={formatMoney(value, currency, language)} help={rest.help} /> : rest.help}
      after={<span className={styles.unit}>{unit === undefined ? currency : `${currency} ${unit}`}</span>}
    />
  );
}

/** A large amount is repeated with its separators, above the help. */
function LargeAmount({ text, help }: { text: string; help: ReactNode }) {
  if (help === undefined) return text;
  return (
    <>
      {text}
      <br />
      {help}
    </>
  );
}

type RateProps = FieldProps<number | null> & { hasAutoFocus?: boolean };

/** A percentage with up to four decimals. */
export function RateInput({ value, onChange, ...rest }: RateProps) {
  const { language } = useFigures();
  const { t } = useTranslation('ui');
  const [text, setText] = useState(() => rateText(value, language));
  const [known, setKnown] = useState(value);
  const [isInvalid, setIsInvalid] = useState(false);
  if (value !== known && !isInvalid) {
    setKnown(value);
    setText(rateText(value, language));
  }
  const change = (next: string) => {
    setText(next);
    const plain = next.replace('%', '').replace(',', '.').trim();
    const isWrong = plain !== '' && !/^\d{1,4}(\.\d{0,4})?$/.test(plain);
    setIsInvalid(isWrong);
    const rate = isWrong || plain === '' ? null : Number(plain);
    setKnown(rate);
    onChange(rate);
  };
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={change}
      inputMode="decimal"
      isUnreadable={isInvalid}
      error={isInvalid ? t('rate.invalid') : rest.error}
      after={<span className={styles.unit}>%</span>}
    />
  );
}

function rateText(value: number | null, language: 'en' | 'de'): string {
  if (value === null) return '';
  return language === 'de' ? String(value).replace('.', ',') : String(value);
}
