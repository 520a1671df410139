// The fields of automatic moves: what counts, from which volume affiliates belong to each group, and whether they can move down.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { nameOfZone } from '../../../ui/figures/dates.ts';
import { MoneyInput } from '../../../ui/form/amounts.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { FieldRow, Form, type FormState } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import styles from './moves.module.css';
import { type Group, type MovesValues, metrics } from './moves-values.ts';

type Props = { form: FormState<MovesValues>; groups: readonly Group[] };

export function MovesForm({ form, id, groups, timezone, onSubmit }: Props & { id: string; timezone: string; onSubmit: () => void }) {
  const { t } = useTranslation('groups');
  return (
    <Form form={form} id={id} onSubmit={onSubmit}>
      <Switch {...form.field('isEnabled')} label={t('moves.enabled')} help={t('moves.enabledHelp', { zone: nameOfZone(timezone) })} />
      <FieldRow>
        <div className={styles.metric}>
          <span className={styles.legend} aria-hidden>
            {t('moves.metric')}
          </span>
          <Segments
            label={t('moves.metric')}
            tabs={metrics.map((metric) => ({ id: metric, label: t(`moves.metrics.${metric}`) }))}
            value={form.values.metric}
            onChange={(metric) => form.setValues({ metric })}
          />
          <p className={styles.help}>{t(`moves.metricHelp.${form.values.metric}`)}</p>
        </div>
        <WholeNumberInput {...form.field('days')} label={t('moves.days')} unit={t('daysUnit')} help={t('moves.daysHelp')} />
      </FieldRow>
      <Volumes form={form} groups={groups} />
      <Switch {...form.field('canMoveDown')} label={t('moves.down')} help={t('moves.downHelp')} />
      {form.values.canMoveDown ? (
        <FieldRow>
          <WholeNumberInput {...form.field('keepDays')} label={t('moves.keep')} unit={t('daysUnit')} help={t('moves.keepHelp')} />
        </FieldRow>
      ) : null}
    </Form>
  );
}

/** One field per group, two in a row. */
function Volumes({ form, groups }: Props) {
  const { t } = useTranslation('groups');
  const { currency } = useProgram();
  const { metric } = form.values;
  const { value: volumes, onChange, error } = form.field(metric);
  const fieldOf = ({ id, name }: Group) => ({
    label: name,
    value: volumes[id] ?? null,
    onChange: (from: number | null) => onChange({ ...volumes, [id]: from }),
  });
  return (
    <fieldset className={styles.volumes} data-field={metric}>
      <legend className={styles.legend}>{t('moves.steps')}</legend>
      <FieldRow>
        {groups.map((group) =>
          metric === 'conversions' ? (
            <WholeNumberInput key={group.id} {...fieldOf(group)} unit={t('moves.orders')} />
          ) : (
            <MoneyInput key={`${group.id} money`} {...fieldOf(group)} currency={currency} />
          ),
        )}
      </FieldRow>
      <p className={error === undefined ? styles.help : styles.error}>{error ?? t('moves.stepsHelp')}</p>
    </fieldset>
  );
}
