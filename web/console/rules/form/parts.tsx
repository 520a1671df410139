// The optional terms of a rule, in parts that can be added and removed.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { MoneyInput } from '../../../ui/form/amounts.tsx';
import { useCountries } from '../../../ui/form/countries.ts';
import { DateInput } from '../../../ui/form/dates.tsx';
import { FieldRow } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { MultiSelect, Select } from '../../../ui/form/select.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import type { RuleFormState } from './form-type.ts';
import { type Part, periods, triggers } from './rule-values.ts';
import { Tiers } from './Tiers.tsx';

type Props = { form: RuleFormState };

export function PartFields({ part, form }: Props & { part: Part }) {
  switch (part) {
    case 'orders':
      return <Orders form={form} />;
    case 'limits':
      return <Limits form={form} />;
    case 'budget':
      return <Budget form={form} />;
    case 'tiers':
      return <Tiers form={form} />;
    case 'conditions':
      return <Conditions form={form} />;
    default:
      return <Dates form={form} />;
  }
}

function Orders({ form }: Props) {
  const { t } = useTranslation('rules');
  return (
    <>
      <Segments
        label={t('field.trigger')}
        tabs={triggers.map((each) => ({ id: each, label: t(`trigger.${each}`) }))}
        value={form.values.trigger}
        onChange={(trigger) => form.setValues({ trigger })}
      />
      <FieldRow>
        <WholeNumberInput
          {...form.field('durationMonths')}
          label={t('field.duration')}
          unit={t('field.months')}
          help={t('field.durationHelp')}
        />
        <WholeNumberInput {...form.field('maxOccurrences')} label={t('field.occurrences')} help={t('field.occurrencesHelp')} />
      </FieldRow>
    </>
  );
}

function Limits({ form }: Props) {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  return (
    <FieldRow>
      <MoneyInput {...form.field('minPerOrderCents')} label={t('sheet.minimum')} currency={currency} />
      <MoneyInput {...form.field('maxPerOrderCents')} label={t('sheet.maximum')} currency={currency} />
    </FieldRow>
  );
}

function Budget({ form }: Props) {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  return (
    <FieldRow>
      <MoneyInput {...form.field('budgetCents')} label={t('sheet.budget')} help={t('field.budgetHelp')} currency={currency} />
      <Select
        {...form.field('budgetPeriod')}
        onChange={(budgetPeriod) => form.setValues(budgetPeriod === null ? {} : { budgetPeriod })}
        label={t('field.period')}
        options={periods.map((value) => ({ value, label: t(`period.${value}`) }))}
      />
    </FieldRow>
  );
}

function Dates({ form }: Props) {
  const { t } = useTranslation('rules');
  return (
    <>
      <FieldRow>
        <DateInput {...form.field('effectiveFrom')} label={t('field.from')} />
        <DateInput {...form.field('effectiveTo')} label={t('field.to')} />
      </FieldRow>
      <Text size="small">{t('field.datesHelp')}</Text>
    </>
  );
}

function Conditions({ form }: Props) {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  const countries = useCountries();
  const { countryRule, customers, coupons, kind, kept } = form.values;
  const isSale = kind !== 'lead';
  return (
    <>
      <Segments
        label={t('field.countries')}
        tabs={(['any', 'in', 'not_in'] as const).map((id) => ({ id, label: t(`countries.${id}`) }))}
        value={countryRule}
        onChange={(next) => form.setValues({ countryRule: next })}
      />
      {countryRule === 'any' ? null : <MultiSelect {...form.field('countries')} label={t('field.countries')} options={countries} />}
      {isSale ? (
        <Segments
          label={t('field.customers')}
          tabs={(['any', 'new', 'returning'] as const).map((id) => ({ id, label: t(`customers.${id}`) }))}
          value={customers}
          onChange={(next) => form.setValues({ customers: next })}
        />
      ) : null}
      <Segments
        label={t('field.coupons')}
        tabs={(['any', 'with', 'without'] as const).map((id) => ({ id, label: t(`coupons.${id}`) }))}
        value={coupons}
        onChange={(next) => form.setValues({ coupons: next })}
      />
      {isSale ? (
        <FieldRow>
          <MoneyInput {...form.field('orderFromCents')} label={t('field.orderFrom')} currency={currency} />
          <MoneyInput {...form.field('orderBelowCents')} label={t('field.orderBelow')} currency={currency} />
        </FieldRow>
      ) : null}
      {kept.conditions.length === 0 ? null : <Text size="small">{t('field.kept', { count: kept.conditions.length })}</Text>}
    </>
  );
}
