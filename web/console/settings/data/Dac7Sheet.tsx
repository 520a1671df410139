// Downloads the DAC7 report, with the operator that it names.
import { useTranslation } from 'react-i18next';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { useCountries } from '../../../ui/form/countries.ts';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { NativeSelect } from '../../../ui/form/native-select.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { filedYear, listYears } from './tax-file.ts';
import { useTaxFile } from './use-tax-file.ts';

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
  const { id, isBusy, save } = useTaxFile({ load, name: `dac7-${year}.xml`, setProblem: form.setProblem, onClose });
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('files.dac7Title')}
      footer={
        <Button kind="primary" type="submit" form={id} isBusy={isBusy} icon="download">
          {t('files.download')}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={() => void save()}>
        <Stack gap={16}>
          <Text>{t('files.dac7Text')}</Text>
          <Select {...form.field('year')} label={t('files.year')} options={listYears(now)} />
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
        </Stack>
      </Form>
    </Sheet>
  );
}
