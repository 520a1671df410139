// The fields that a change to several affiliates needs.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { MoneyInput, RateInput } from '../../../ui/form/amounts.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { TextArea, TextInput } from '../../../ui/form/fields.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { useGroups } from '../use-groups.ts';
import { type BulkKind, type BulkValues, hasNote } from './bulk-change.ts';

type Props = { kind: BulkKind; values: BulkValues; onChange: (values: BulkValues) => void };

const noGroup = 'none';

export function BulkFields({ kind, values, onChange }: Props) {
  const { t } = useTranslation('affiliate-table');
  const groups = useGroups().data?.groups ?? [];
  const set = (changed: Partial<BulkValues>) => onChange({ ...values, ...changed });
  if (kind === 'group') {
    const options = [{ value: noGroup, label: t('bulk.noGroup') }, ...groups.map(({ id, name }) => ({ value: id, label: name }))];
    return (
      <Select
        label={t('column.group')}
        options={options}
        value={values.groupId ?? noGroup}
        onChange={(id) => set({ groupId: id === noGroup ? null : id })}
      />
    );
  }
  if (kind === 'tags') {
    return (
      <Stack gap={12}>
        <TextInput label={t('bulk.addTags')} help={t('bulk.tagsHelp')} value={values.add} onChange={(add) => set({ add })} hasAutoFocus />
        <TextInput label={t('bulk.removeTags')} value={values.remove} onChange={(remove) => set({ remove })} />
      </Stack>
    );
  }
  if (kind === 'override') return <OverrideFields values={values} set={set} />;
  if (!hasNote(kind)) return null;
  return (
    <Stack gap={12}>
      <TextArea
        label={t('bulk.note')}
        help={t('bulk.noteHelp')}
        value={values.note}
        onChange={(note) => set({ note })}
        maxLength={1000}
        hasAutoFocus
      />
      <Switch label={t('bulk.sendEmail')} value={values.sendEmail} onChange={(sendEmail) => set({ sendEmail })} />
    </Stack>
  );
}

function OverrideFields({ values, set }: { values: BulkValues; set: (changed: Partial<BulkValues>) => void }) {
  const { t } = useTranslation('affiliate-table');
  const { currency } = useProgram();
  return (
    <Stack gap={12}>
      <Segments
        label={t('bulk.overrideType')}
        value={values.overrideType}
        onChange={(overrideType) => set({ overrideType })}
        tabs={[
          { id: 'percentage', label: t('bulk.percentage') },
          { id: 'flat', label: t('bulk.flat') },
          { id: 'none', label: t('bulk.noOverride') },
        ]}
      />
      {values.overrideType === 'percentage' ? (
        <RateInput label={t('bulk.rate')} value={values.rate} onChange={(rate) => set({ rate })} />
      ) : null}
      {values.overrideType === 'flat' ? (
        <MoneyInput
          label={t('bulk.amount')}
          currency={currency}
          value={values.amountCents}
          onChange={(amountCents) => set({ amountCents })}
          unit={t('bulk.perOrder')}
        />
      ) : null}
    </Stack>
  );
}
