// Downloads the rows of Form 1099-NEC, with the payer that they name.
import { useTranslation } from 'react-i18next';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldRow, type FormState, useForm } from '../../../ui/form/form.tsx';
import { TaxFileSheet } from './TaxFileSheet.tsx';
import { filedYear } from './tax-file.ts';

const payer = { payerName: '', payerTin: '', payerAddress: '', payerCity: '', payerState: '', payerZip: '', payerPhone: '' };
type Values = typeof payer & { year: string };

export function Form1099Sheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('data');
  const { id: programId } = useProgram();
  const { now } = useFigures();
  const form = useForm<Values>({ year: filedYear(now), ...payer });
  const { year, ...texts } = form.values;
  const body = { year: Number(year), ...texts };
  const load = () => call('taxFiles.create1099', { path: { programId }, body }, { idempotencyKey: newIdempotencyKey(), isFile: true });
  return (
    <TaxFileSheet
      title={t('files.form1099Title')}
      text={t('files.form1099Text')}
      form={form}
      load={load}
      name={`1099-nec-${year}.csv`}
      onClose={onClose}
    >
      <Payer form={form} />
    </TaxFileSheet>
  );
}

function Payer({ form }: { form: FormState<Values> }) {
  const { t } = useTranslation('data');
  return (
    <>
      <TextInput {...form.field('payerName')} label={t('files.name')} help={t('files.nameHelp')} maxLength={200} />
      <TextInput {...form.field('payerTin')} label={t('files.tin')} isMono maxLength={20} />
      <TextInput {...form.field('payerAddress')} label={t('files.address')} maxLength={200} />
      <FieldRow>
        <TextInput {...form.field('payerCity')} label={t('files.city')} maxLength={100} />
        <TextInput {...form.field('payerState')} label={t('files.state')} maxLength={40} />
      </FieldRow>
      <FieldRow>
        <TextInput {...form.field('payerZip')} label={t('files.zip')} isMono maxLength={20} />
        <TextInput {...form.field('payerPhone')} label={t('files.phone')} maxLength={40} />
      </FieldRow>
    </>
  );
}
