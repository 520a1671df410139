// Which affiliate an order is credited to, and where links may lead.
import { useTranslation } from 'react-i18next';
import type { FieldTexts } from '../../../states/edit/StaleNotice.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import { FieldRow, type FormState } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { toEntries } from '../form/changed-fields.ts';
import { ProgramScreen } from '../form/ProgramScreen.tsx';
import { FieldCard, SettingsForm } from '../form/SettingsForm.tsx';
import { type Program, useProgramForm } from '../form/use-program-form.ts';

type Values = Pick<Program, 'attributionModel' | 'attributionPriority' | 'remembersCustomers'> & {
  attributionWindowDays: number | null;
  hijackGuardSeconds: number | null;
  destinationHosts: string;
  imageHosts: string;
};
type Part = { form: FormState<Values> };

export function Screen() {
  const { t } = useTranslation('settings');
  return (
    <ProgramScreen title={t('attributionTitle')} lede={t('attribution.lede')}>
      {(program) => <Settings program={program} />}
    </ProgramScreen>
  );
}

function Settings({ program }: { program: Program }) {
  const texts = useFieldTexts();
  const { form, save, isBusy, stale } = useProgramForm(program, { toValues, toUpdate, texts });
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={isBusy} stale={stale}>
      <Credit form={form} />
      <Links form={form} />
    </SettingsForm>
  );
}

function Credit({ form }: Part) {
  const { t } = useTranslation('settings');
  return (
    <FieldCard title={t('attribution.credit')}>
      <FieldRow>
        <Select
          {...form.field('attributionModel')}
          label={t('attribution.model')}
          help={t('attribution.modelHelp')}
          options={(['last_click', 'first_click'] as const).map((value) => ({ value, label: t(`attribution.models.${value}`) }))}
        />
        <Select
          {...form.field('attributionPriority')}
          label={t('attribution.priority')}
          help={t('attribution.priorityHelp')}
          options={(['coupon_first', 'click_first'] as const).map((value) => ({ value, label: t(`attribution.priorities.${value}`) }))}
        />
      </FieldRow>
      <FieldRow>
        <WholeNumberInput
          {...form.field('attributionWindowDays')}
          label={t('attribution.window')}
          help={t('attribution.windowHelp')}
          unit={t('unit.days')}
        />
        <WholeNumberInput
          {...form.field('hijackGuardSeconds')}
          label={t('attribution.hijack')}
          help={t('attribution.hijackHelp')}
          unit={t('unit.seconds')}
        />
      </FieldRow>
      <Switch {...form.field('remembersCustomers')} label={t('attribution.remembers')} help={t('attribution.remembersHelp')} />
    </FieldCard>
  );
}

function Links({ form }: Part) {
  const { t } = useTranslation('settings');
  return (
    <FieldCard title={t('attribution.links')}>
      <TextArea
        {...form.field('destinationHosts')}
        label={t('attribution.destinations')}
        help={t('attribution.destinationsHelp')}
        rows={3}
      />
      <TextArea {...form.field('imageHosts')} label={t('attribution.images')} help={t('attribution.imagesHelp')} rows={3} />
    </FieldCard>
  );
}

/** The names of fields and values in a conflict. */
function useFieldTexts(): FieldTexts<Program, Values> {
  const { t } = useTranslation('settings');
  return {
    labels: {
      attributionModel: t('attribution.model'),
      attributionPriority: t('attribution.priority'),
      attributionWindowDays: t('attribution.window'),
      hijackGuardSeconds: t('attribution.hijack'),
      remembersCustomers: t('attribution.remembers'),
      destinationHosts: t('attribution.destinations'),
      imageHosts: t('attribution.images'),
    },
    show: (name, { attributionModel, attributionPriority }) => {
      if (name === 'attributionModel') return t(`attribution.models.${attributionModel}`);
      return name === 'attributionPriority' ? t(`attribution.priorities.${attributionPriority}`) : undefined;
    },
  };
}

function toValues(program: Program): Values {
  const { attributionModel, attributionPriority, attributionWindowDays, hijackGuardSeconds, remembersCustomers } = program;
  const [destinationHosts, imageHosts] = [program.destinationHosts.join('\n'), program.imageHosts.join('\n')];
  return {
    attributionModel,
    attributionPriority,
    attributionWindowDays,
    hijackGuardSeconds,
    remembersCustomers,
    destinationHosts,
    imageHosts,
  };
}

/** An empty number is sent as it is: the server says which fields need one. */
function toUpdate({ destinationHosts, imageHosts, attributionWindowDays, hijackGuardSeconds, ...others }: Values) {
  return {
    ...others,
    attributionWindowDays: attributionWindowDays as number,
    hijackGuardSeconds: hijackGuardSeconds as number,
    destinationHosts: toEntries(destinationHosts),
    imageHosts: toEntries(imageHosts),
  };
}
