// Which rates convert orders in other currencies.
import { useTranslation } from 'react-i18next';
import { Select } from '../../../ui/form/select.tsx';
import { FieldCard, SettingsForm } from '../form/SettingsForm.tsx';
import { type Program, useProgramForm } from '../form/use-program-form.ts';

type Values = Pick<Program, 'exchangeRateSource'>;

const sources = ['off', 'uploaded', 'ecb'] as const;

export function SourceForm({ program }: { program: Program }) {
  const { t } = useTranslation('exchange-rates');
  const toValues = ({ exchangeRateSource }: Program): Values => ({ exchangeRateSource });
  const texts = {
    labels: { exchangeRateSource: t('source.label') },
    show: (_: keyof Values, { exchangeRateSource }: Values) => t(`source.${exchangeRateSource}`),
  };
  const { form, save, isBusy, stale } = useProgramForm<Values>(program, { toValues, toUpdate: (values) => values, texts });
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={isBusy} stale={stale}>
      <FieldCard title={t('source.title')}>
        <Select
          {...form.field('exchangeRateSource')}
          label={t('source.label')}
          help={t('source.help')}
          options={sources.map((value) => ({ value, label: t(`source.${value}`) }))}
        />
      </FieldCard>
    </SettingsForm>
  );
}
