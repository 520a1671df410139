// The fields of a group, for a new one and for changes.
import { useTranslation } from 'react-i18next';
import type { RequestError } from '../../api/errors.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { MoneyInput } from '../../ui/form/amounts.tsx';
import { TextArea, TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, Form, type FormProblem, type FormState } from '../../ui/form/form.tsx';
import { type GroupValues, toBody } from './group-values.ts';
import styles from './groups.module.css';

type Body = NonNullable<ReturnType<typeof toBody>>;
type Props = { form: FormState<GroupValues>; id: string; onSubmit: (body: Body) => void };

export function GroupForm({ form, id, onSubmit }: Props) {
  const { t } = useTranslation('groups');
  const { id: programId, currency } = useProgram();
  const { language } = useFigures();
  const program = useRead('programs.get', { path: { programId } }).data;
  const submit = () => {
    const body = toBody(form.values);
    if (form.values.name.trim() === '') return form.setMissing(['name']);
    if (body === null) return form.setProblem({ message: '', details: [{ path: ['holdDays'], message: 'must be a whole number' }] });
    onSubmit(body);
  };
  const minimum = program ? formatMoney(program.minimumPayoutCents, currency, language) : '…';
  return (
    <Form form={form} id={id} onSubmit={submit}>
      <TextInput {...form.field('name')} label={t('column.name')} maxLength={100} hasAutoFocus isRequired />
      <TextArea {...form.field('description')} label={t('column.description')} maxLength={1000} />
      <FieldRow>
        <TextInput
          {...form.field('holdDays')}
          label={t('column.hold')}
          help={t('holdHelp', { days: program?.holdDays ?? '…' })}
          inputMode="numeric"
          after={<span className={styles.unit}>{t('daysUnit')}</span>}
        />
        <MoneyInput
          {...form.field('minimumPayoutCents')}
          label={t('column.minimum')}
          help={t('minimumHelp', { amount: minimum })}
          currency={currency}
        />
      </FieldRow>
    </Form>
  );
}

/** The errors of a failed request by field: a name that is taken is shown at its field. */
export function problemOf({ code, message, details }: RequestError): FormProblem {
  return code === 'group_exists' ? { message, details: [{ path: ['name'], message: 'is already used' }] } : { message, details };
}
