// The lines of the order to refund: each by its quantity, or by an amount.
import { useTranslation } from 'react-i18next';
import { MoneyInput } from '../../../../ui/form/amounts.tsx';
import { Checkbox } from '../../../../ui/form/choices.tsx';
import { FieldRow } from '../../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../../ui/form/numbers.tsx';
import styles from '../order.module.css';
import { type Explanation, lineTitle } from '../say.ts';
import { useSay } from '../use-say.ts';
import { type Choice, type Choices, hasUnits, restOf } from './refund-values.ts';

type Item = Explanation['items'][number];
type Props = { explanation: Explanation; choices: Choices; onChange: (choices: Choices) => void };

export function RefundLines({ explanation, choices, onChange }: Props) {
  const { t } = useTranslation('conversions');
  const say = useSay(explanation.currency);
  return (
    <fieldset className={styles.lines}>
      <legend className="visually-hidden">{t('refundSheet.lines')}</legend>
      {explanation.items.map((item) => {
        const { position } = item;
        const choice = choices[position];
        const without = Object.fromEntries(Object.entries(choices).filter(([key]) => Number(key) !== position));
        const amounts = { amount: say.money(item.amountCents - item.refundedCents), total: say.money(item.amountCents) };
        return (
          <div key={position} className={styles.refundLine}>
            <Checkbox
              label={lineTitle(item, explanation, say)}
              help={t('refundSheet.open', amounts)}
              value={choice !== undefined}
              isDisabled={item.amountCents === item.refundedCents}
              onChange={(chosen) => onChange(chosen ? { ...choices, [position]: restOf(item) } : without)}
            />
            {choice === undefined ? null : (
              <Fields
                item={item}
                currency={explanation.currency}
                choice={choice}
                onChange={(next) => onChange({ ...choices, [position]: next })}
              />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

type FieldsProps = { item: Item; currency: string; choice: Choice; onChange: (choice: Choice) => void };

function Fields({ item, currency, choice, onChange }: FieldsProps) {
  const { t } = useTranslation('conversions');
  const name = `items.${item.position}`;
  const amount = (
    <MoneyInput
      label={t('refundSheet.amount')}
      help={hasUnits(item) ? t('refundSheet.amountHelp') : undefined}
      name={`${name}.amountCents`}
      currency={currency}
      value={choice.amountCents}
      onChange={(amountCents) => onChange({ ...choice, amountCents })}
    />
  );
  if (!hasUnits(item)) return amount;
  return (
    <FieldRow>
      <WholeNumberInput
        label={t('refundSheet.quantity')}
        help={t('refundSheet.quantityHelp', { count: item.remainingQuantity })}
        name={`${name}.quantity`}
        isDisabled={choice.amountCents !== null}
        value={choice.quantity}
        onChange={(quantity) => onChange({ ...choice, quantity })}
      />
      {amount}
    </FieldRow>
  );
}
