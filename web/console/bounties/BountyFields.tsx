// The fields of a bounty. Its milestone, reward and first day are chosen once.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../session/program.ts';
import { MoneyInput } from '../../ui/form/amounts.tsx';
import { DateInput } from '../../ui/form/dates.tsx';
import { TextArea, TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, type FormState } from '../../ui/form/form.tsx';
import { WholeNumberInput } from '../../ui/form/numbers.tsx';
import { Select } from '../../ui/form/select.tsx';
import { type BountyValues, milestones } from './bounty-values.ts';

type Props = { form: FormState<BountyValues>; isNew: boolean };

export function BountyFields({ form, isNew }: Props) {
  const { t } = useTranslation('bounties');
  const { currency } = useProgram();
  return (
    <>
      <TextInput {...form.field('name')} label={t('field.name')} help={t('help.name')} maxLength={100} hasAutoFocus isRequired />
      <TextArea {...form.field('description')} label={t('field.description')} help={t('help.description')} maxLength={2000} isRequired />
      {isNew ? <FixedFields form={form} /> : null}
      <FieldRow>
        <MoneyInput {...form.field('budgetCents')} label={t('field.budget')} help={t('help.budget')} currency={currency} />
        <DateInput {...form.field('endsOn')} label={t('field.endsOn')} help={t('help.endsOn')} />
      </FieldRow>
    </>
  );
}

function FixedFields({ form }: Pick<Props, 'form'>) {
  const { t } = useTranslation('bounties');
  const { currency } = useProgram();
  const { milestone } = form.values;
  return (
    <>
      <Select
        {...form.field('milestone')}
        label={t('field.milestone')}
        help={t(`help.${milestone}`)}
        options={milestones.map((value) => ({ value, label: t(`milestone.${value}`) }))}
      />
      {milestone === 'orders' ? (
        <WholeNumberInput {...form.field('targetOrders')} label={t('field.targetOrders')} unit={t('ordersUnit')} isRequired />
      ) : null}
      <FieldRow>
        <MoneyInput {...form.field('rewardCents')} label={t('field.reward')} help={t('help.reward')} currency={currency} isRequired />
        <DateInput {...form.field('startsOn')} label={t('field.startsOn')} help={t('help.startsOn')} />
      </FieldRow>
    </>
  );
}
