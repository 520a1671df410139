// What another rate of a rule, or archiving it, would have changed on past orders. Nothing is saved.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { MoneyInput, RateInput } from '../../../ui/form/amounts.tsx';
import { Row } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import type { RuleChange } from '../rule-change.ts';
import { Simulation } from './Simulation.tsx';

type Rule = Result<'commissionRules.get'>;

const changes = ['amount', 'archive'] as const;

export function RuleEffect({ rule }: { rule: Rule }) {
  const { t } = useTranslation('rules');
  const [change, setChange] = useState<(typeof changes)[number]>('amount');
  const isPercentage = rule.type === 'percentage';
  const [value, setValue] = useState(isPercentage ? rule.rate : rule.amountCents);
  const [isMissing, setIsMissing] = useState(false);
  const field = { value, onChange: setValue, error: isMissing && value === null ? t('simulation.missing') : undefined };
  return (
    <Simulation change={toChange(rule, change, value)} onIncomplete={() => setIsMissing(true)}>
      <Row>
        <Segments
          label={t('simulation.change')}
          tabs={changes.map((id) => ({ id, label: t(`simulation.changes.${id}`) }))}
          value={change}
          onChange={setChange}
        />
      </Row>
      {change === 'archive' ? null : isPercentage ? (
        <RateInput {...field} label={t('field.rate')} />
      ) : (
        <MoneyInput
          {...field}
          label={t('field.amount')}
          currency={rule.currency}
          unit={t(rule.per === 'unit' ? 'unit.item' : 'unit.order')}
        />
      )}
    </Simulation>
  );
}

/** The rule with another rate or amount, or without the rule; null while the amount is missing. */
function toChange(rule: Rule, change: (typeof changes)[number], value: number | null): RuleChange | null {
  if (change === 'archive') return { archiveRuleIds: [rule.id] };
  if (value === null) return null;
  const level = rule.level === 2 ? 2 : 1;
  const amount = rule.type === 'percentage' ? { rate: value } : { amountCents: value };
  return { replace: [Object.assign({}, rule, { ruleId: rule.id, level }, amount)] };
}
