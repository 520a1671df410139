// The tiers of a rule: other rates from totals on that the affiliate has reached before the order.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { MoneyInput, RateInput } from '../../../ui/form/amounts.tsx';
import { FieldRow } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Row, Text } from '../../../ui/layout/stack.tsx';
import styles from '../rules.module.css';
import type { RuleFormState } from './form-type.ts';
import { metrics, periods, type TierValues } from './rule-values.ts';

const maxTiers = 20;
const emptyTier: TierValues = { from: null, rate: null, amountCents: null };

export function Tiers({ form }: { form: RuleFormState }) {
  const { t } = useTranslation('rules');
  const { tiers, tierMetric, tierPeriod } = form.values;
  const { onChange, error } = form.field('tiers');
  const rows = tiers.length === 0 ? [emptyTier] : tiers;
  const change = (index: number, changed: Partial<TierValues>) =>
    onChange(rows.map((tier, at) => (at === index ? { ...tier, ...changed } : tier)));
  return (
    <div className={styles.tiers} data-field="tiers">
      <FieldRow>
        <Select
          label={t('field.metric')}
          value={tierMetric}
          onChange={(next) => form.setValues(next === null ? {} : { tierMetric: next })}
          options={metrics.map((value) => ({ value, label: t(`metric.${value}`) }))}
        />
        <Select
          label={t('field.period')}
          value={tierPeriod}
          onChange={(next) => form.setValues(next === null ? {} : { tierPeriod: next })}
          options={periods.map((value) => ({ value, label: t(`period.${value}`) }))}
        />
      </FieldRow>
      {rows.map((tier, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tiers have no ids, and their fields follow the values they get.
        <TierRow key={index} number={index + 1} tier={tier} form={form} onChange={(changed) => change(index, changed)}>
          <IconButton
            icon="close"
            label={t('tier.remove', { number: index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          />
        </TierRow>
      ))}
      {error === undefined ? <Text size="small">{t('tier.help')}</Text> : <p className={styles.error}>{error}</p>}
      {rows.length < maxTiers ? (
        <Row>
          <Button size="small" icon="plus" onClick={() => onChange([...rows, emptyTier])}>
            {t('tier.add')}
          </Button>
        </Row>
      ) : null}
    </div>
  );
}

type RowProps = {
  number: number;
  tier: TierValues;
  form: RuleFormState;
  onChange: (changed: Partial<TierValues>) => void;
  children: ReactNode;
};

function TierRow({ number, tier, form, onChange, children }: RowProps) {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  const { kind, tierMetric } = form.values;
  const from = { label: t('tier.from', { number }), value: tier.from, onChange: (value: number | null) => onChange({ from: value }) };
  return (
    <div className={styles.tier}>
      {tierMetric === 'conversions' ? <WholeNumberInput {...from} unit={t('tier.orders')} /> : <MoneyInput {...from} currency={currency} />}
      {kind === 'percentage' ? (
        <RateInput label={t('tier.rate', { number })} value={tier.rate} onChange={(rate) => onChange({ rate })} />
      ) : (
        <MoneyInput
          label={t('tier.amount', { number })}
          value={tier.amountCents}
          onChange={(amountCents) => onChange({ amountCents })}
          currency={currency}
        />
      )}
      {children}
    </div>
  );
}
