// The editor of one filter: options with "is" or "is not", or a range.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/button.tsx';
import { MoneyInput, RateInput } from '../../form/amounts.tsx';
import { Checkbox } from '../../form/choices.tsx';
import { DateInput } from '../../form/dates.tsx';
import { TextInput } from '../../form/fields.tsx';
import { focusUnreadable } from '../../form/form.tsx';
import { WholeNumberInput } from '../../form/numbers.tsx';
import { Segments } from '../../layout/tabs.tsx';
import styles from '../table.module.css';
import type { FilterDefinition, FilterValue } from '../table-types.ts';

type Props = {
  definition: FilterDefinition;
  value: FilterValue | null;
  onChange: (value: FilterValue | null) => void;
  onClose: () => void;
};

export function FilterEditor(props: Props) {
  const { definition } = props;
  return (
    <div className={styles.editor}>
      <div className={styles.editorTitle}>{definition.label}</div>
      {definition.kind === 'options' ? <Options {...props} definition={definition} /> : <Range {...props} definition={definition} />}
    </div>
  );
}

type OptionsProps = Props & { definition: Extract<FilterDefinition, { kind: 'options' }> };

/** Options apply immediately: the rows behind the panel show the effect. */
function Options({ onClose, ...props }: OptionsProps) {
  const { t } = useTranslation('table');
  return (
    <>
      <OptionList {...props} />
      <Button size="small" onClick={onClose}>
        {t('filter.done')}
      </Button>
    </>
  );
}

/** The options of a filter, each applied when it is chosen. */
export function OptionList({ definition, value, onChange }: Omit<OptionsProps, 'onClose'>) {
  const { t } = useTranslation('table');
  const [search, setSearch] = useState('');
  const current = value?.kind === 'options' ? value : { kind: 'options' as const, operator: 'is' as const, values: [] };
  const set = (values: readonly string[], operator = current.operator) =>
    onChange(values.length === 0 ? null : { kind: 'options', operator, values });
  const toggle = (id: string) => {
    if (definition.isSingle) return set(current.values.includes(id) ? [] : [id]);
    return set(current.values.includes(id) ? current.values.filter((each) => each !== id) : [...current.values, id]);
  };
  const shown = definition.options.filter(({ label }) => label.toLocaleLowerCase().includes(search.toLocaleLowerCase()));
  return (
    <>
      {definition.canExclude ? (
        <Segments
          label={t('filter.operator')}
          value={current.operator}
          onChange={(operator) => set(current.values, operator)}
          tabs={[
            { id: 'is', label: t('filter.is') },
            { id: 'isNot', label: t('filter.isNot') },
          ]}
        />
      ) : null}
      {definition.options.length > 8 ? (
        <TextInput label={t('filter.search')} isLabelHidden placeholder={t('filter.search')} value={search} onChange={setSearch} />
      ) : null}
      <div className={styles.editorOptions}>
        {shown.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            value={current.values.includes(option.value)}
            onChange={() => toggle(option.value)}
          />
        ))}
      </div>
    </>
  );
}

type RangeDefinition = Exclude<FilterDefinition, { kind: 'options' }>;
type RangeProps = Props & { definition: RangeDefinition };

/** A range applies with the button or Enter: half a number would reload the rows for nothing. */
function Range({ definition, value, onChange, onClose }: RangeProps) {
  const { t } = useTranslation('table');
  const [ends, setEnds] = useState(toEnds(value));
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        if (focusUnreadable(event.currentTarget)) return;
        onChange(toRange(ends));
        onClose();
      }}
    >
      <RangeEnds definition={definition} ends={ends} onChange={setEnds} />
      <Button size="small" kind="primary" type="submit">
        {t('filter.apply')}
      </Button>
    </form>
  );
}

export type Ends = { from: string | null; to: string | null };

export const toEnds = (value: FilterValue | null): Ends =>
  value?.kind === 'range' ? { from: value.from, to: value.to } : { from: null, to: null };

export const toRange = ({ from, to }: Ends): FilterValue | null => (from === null && to === null ? null : { kind: 'range', from, to });

type EndsProps = { definition: RangeDefinition; ends: Ends; onChange: (ends: Ends) => void };

export function RangeEnds({ definition, ends, onChange }: EndsProps) {
  const { t } = useTranslation('table');
  const isDays = definition.kind === 'days';
  return (
    <div className={styles.editorRange}>
      <End
        definition={definition}
        label={t(isDays ? 'filter.from' : 'filter.atLeast')}
        value={ends.from}
        onChange={(from) => onChange({ ...ends, from })}
      />
      <End
        definition={definition}
        label={t(isDays ? 'filter.to' : 'filter.atMost')}
        value={ends.to}
        onChange={(to) => onChange({ ...ends, to })}
      />
    </div>
  );
}

type EndProps = { definition: RangeDefinition; label: string; value: string | null; onChange: (value: string | null) => void };

function End({ definition, label, value, onChange }: EndProps) {
  if (definition.kind === 'amount') {
    return (
      <MoneyInput
        label={label}
        currency={definition.currency}
        value={value === null ? null : Number(value)}
        onChange={(cents) => onChange(cents === null ? null : String(cents))}
      />
    );
  }
  if (definition.kind === 'days') return <DateInput label={label} value={value} onChange={onChange} />;
  const NumberInput = definition.unit === '%' ? RateInput : WholeNumberInput;
  return (
    <NumberInput
      label={label}
      value={value === null ? null : Number(value)}
      onChange={(number) => onChange(number === null ? null : String(number))}
    />
  );
}
