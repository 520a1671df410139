// Downloads the DAC7 report, with the operator that it names.
import { useTranslation } from 'react-i18next';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { useCountries } from '../../../ui/form/countries.ts';
import { TextInput } from '../../../ui/form/fields.tsx';
import { useForm } from '../../../ui/form/form.tsx';
import { NativeSelect } from '../../../ui/form/native-select.tsx';
import { TaxFileSheet } from './TaxFileSheet.tsx';
import { filedYear } from './tax-file.ts';

type Values = { year: string; operatorName: string; operatorCountry: string | null; operatorTin: string; operatorAddress: string };

export function Dac7Sheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('data');
  const { id: programId } = useProgram();
  const { now } = useFigures();
  const countries = useCountries();
  const operator = { operatorName: '', operatorCountry: null, operatorTin: '', operatorAddress: '' };
  const form = useForm<Values>({ year: filedYear(now), ...operator });
  const { year, operatorCountry, ...texts } = form.values;
  // Without a country, the service says that it is required.
  const body = { year: Number(year), operatorCountry: operatorCountry ?? '', ...texts };
  const load = () => call('taxFiles.createDac7', { path: { programId }, body }, { idempotencyKey: newIdempotencyKey(), isFile: true });
  return (
    <TaxFileSheet
      title={t('files.dac7Title')}
      text={t('files.dac7Text')}
      form={form}
      load={load}
      name={`dac7-${year}.xml`}
      onClose={onClose}
    >
      <TextInput {...form.field('operatorName')} label={t('files.name')} help={t('files.nameHelp')} maxLength={200} />
      <NativeSelect
        {...form.field('operatorCountry')}
        label={t('files.country')}
        options={countries}
        placeholder={t('files.chooseCountry')}
        isRequired
      />
      <TextInput {...form.field('operatorTin')} label={t('files.operatorTin')} isMono maxLength={50} />
      <TextInput {...form.field('operatorAddress')} label={t('files.operatorAddress')} maxLength={200} />
    </TaxFileSheet>
  );
}
