// The terms of a coupon: the discount, its validity, when it is credited, and a commission that differs.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../session/program.ts';
import { MoneyInput, RateInput } from '../../ui/form/amounts.tsx';
import { DateInput } from '../../ui/form/dates.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, type FormState } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { policies, rateKinds, type TermValues } from './coupon-values.ts';
import styles from './coupons.module.css';
import { type ProductName, ProductsField } from './ProductsField.tsx';

/** `products`: the names of those that the coupon has. */
type Props<Values extends TermValues> = { form: FormState<Values>; products?: readonly ProductName[] };

/** A form may have further fields; these are the terms. */
export function TermFields<Values extends TermValues>({ form: given, products = [] }: Props<Values>) {
  const { t } = useTranslation('coupons');
  const { currency } = useProgram();
  const form = given as unknown as FormState<TermValues>;
  const { creditPolicy } = form.values;
  return (
    <>
      <RateFields form={form} name="discount" />
      <FieldRow>
        <DateInput {...form.field('startsOn')} label={t('field.startsOn')} error={form.errors.startsAt} />
        <DateInput {...form.field('endsOn')} label={t('field.endsOn')} help={t('field.endsOnHelp')} error={form.errors.endsAt} />
      </FieldRow>
      <FieldRow>
        <TextInput {...form.field('maxRedemptions')} label={t('field.maxRedemptions')} help={t('field.unlimited')} inputMode="numeric" />
        <MoneyInput {...form.field('minOrderCents')} label={t('field.minOrder')} currency={currency} />
      </FieldRow>
      <ProductsField {...form.field('productIds')} known={products} />
      <Select
        {...form.field('creditPolicy')}
        label={t('field.creditPolicy')}
        help={creditPolicy === null ? undefined : t(`policyHelp.${creditPolicy}`)}
        options={policies.map((value) => ({ value, label: t(`policy.${value}`) }))}
      />
      <RateFields form={form} name="commission" />
    </>
  );
}

function RateFields({ form, name }: { form: FormState<TermValues>; name: 'discount' | 'commission' }) {
  const { t } = useTranslation('coupons');
  const { currency } = useProgram();
  const kind = form.values[name];
  return (
    <Stack gap={12}>
      <span className={styles.legend}>{t(`field.${name}`)}</span>
      <Segments
        label={t(`field.${name}`)}
        tabs={rateKinds.map((id) => ({ id, label: t(`${name}.${id}`) }))}
        value={kind}
        onChange={(next) => form.setValues({ [name]: next })}
      />
      {kind === 'none' && name === 'commission' ? <Text size="small">{t('commissionHelp')}</Text> : null}
      {kind === 'percentage' ? <RateInput {...form.field(`${name}Rate`)} label={t(`${name}.percentage`)} /> : null}
      {kind === 'flat' ? <MoneyInput {...form.field(`${name}Cents`)} label={t(`${name}.flat`)} currency={currency} /> : null}
    </Stack>
  );
}
