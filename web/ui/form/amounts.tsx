// Amounts and rates. Users type major units ("12.50"); the caller gets cents, or the rate with its unit.
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../figures/context.ts';
import { currencyDecimals, formatMoney } from '../figures/format.ts';
import { type FieldProps, TextInput } from './fields.tsx';
import styles from './form.module.css';
import { editableMoney, findMoneyFault, type MoneyFault, parseMoney } from './text/money-text.ts';

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
  const faultText = useMoneyFaultText(currency);
  const [text, setText] = useState(() => (value === null ? '' : editableMoney(value, currency, language)));
  const [isLeft, setIsLeft] = useState(false);
  const fault = findMoneyFault(text, currency, language);
  // The caller may set another amount, for example when a form is reset.
  const [known, setKnown] = useState(value);
  if (value !== known && fault === null) {
    setKnown(value);
    setText(value === null ? '' : editableMoney(value, currency, language));
  }
  const change = (next: string) => {
    setText(next);
    setIsLeft(false);
    const parsed = parseMoney(next, currency, language);
    const cents = Number.isNaN(parsed) ? null : parsed;
    setKnown(cents);
    onChange(cents);
  };
  // The form is sent with Enter or ⌘S before the field is left.
  const leaveOnSend = ({ key, metaKey, ctrlKey }: KeyboardEvent) => {
    if (key === 'Enter' || metaKey || ctrlKey) setIsLeft(true);
  };
  // A group of digits that is still being typed is not a mistake yet.
  const shownFault = fault === 'incomplete' && !isLeft ? null : fault;
  const isLarge = value !== null && Math.abs(value) >= repeatFrom;
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={change}
      onBlur={(event) => {
        setIsLeft(true);
        rest.onBlur?.(event);
      }}
      onKeyDown={leaveOnSend}
      inputMode="decimal"
      isUnreadable={fault !== null}
      error={shownFault === null ? rest.error : faultText(shownFault)}
      help={isLarge ? <LargeAmount text={formatMoney(value, currency, language)} help={rest.help} /> : rest.help}
      after={<span className={styles.unit}>{unit === undefined ? currency : `${currency} ${unit}`}</span>}
    />
  );
}

/** Says what to correct in an amount, with an example in its currency. */
function useMoneyFaultText(currency: string): (fault: MoneyFault) => string {
  const { language } = useFigures();
  const { t } = useTranslation('ui');
  const decimals = currencyDecimals(currency);
  const words = { currency, decimals, example: editableMoney(1250, currency, language) };
  return (fault) => {
    if (fault !== 'decimals') return t('money.invalid', words);
    return t(decimals === 0 ? 'money.noDecimals' : 'money.decimals', words);
  };
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
