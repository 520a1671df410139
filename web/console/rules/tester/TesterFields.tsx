// The order that is tested.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { MoneyInput } from '../../../ui/form/amounts.tsx';
import { useCountries } from '../../../ui/form/countries.ts';
import { DateInput } from '../../../ui/form/dates.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldRow } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { AffiliateSelect } from '../../affiliates/AffiliateSelect.tsx';
import { ProductSelect } from '../form/ProductSelect.tsx';
import type { TestedOrder } from './tested-order.ts';

type Props = { order: TestedOrder; onChange: (order: TestedOrder) => void };

export function TesterFields({ order, onChange }: Props) {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  const countries = useCountries();
  const field = <Name extends keyof TestedOrder>(name: Name) => ({
    value: order[name],
    onChange: (value: TestedOrder[Name]) => onChange({ ...order, [name]: value }),
  });
  return (
    <Stack gap={12}>
      <AffiliateSelect {...field('affiliateId')} label={t('tester.affiliate')} current={null} />
      <FieldRow>
        <MoneyInput {...field('amountCents')} label={t('tester.amount')} currency={currency} />
        <ProductSelect {...field('productId')} label={t('tester.product')} placeholder={t('tester.anyProduct')} />
      </FieldRow>
      <FieldRow>
        <WholeNumberInput {...field('number')} label={t('tester.number')} help={t('tester.numberHelp')} />
        <Select {...field('country')} label={t('tester.country')} options={countries} placeholder={t('tester.noCountry')} canClear />
      </FieldRow>
      {(order.number ?? 0) > 1 ? <DateInput {...field('firstOn')} label={t('tester.firstOn')} help={t('tester.firstOnHelp')} /> : null}
      <FieldRow>
        <DateInput {...field('day')} label={t('tester.day')} help={t('tester.dayHelp')} />
        <TextInput {...field('couponCode')} label={t('tester.coupon')} isMono maxLength={100} />
      </FieldRow>
    </Stack>
  );
}
