// Who issues the invoices of the program: the legal details that they show, the VAT rate and the numbers.
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { RateInput } from '../../../ui/form/amounts.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { useCountries } from '../../../ui/form/countries.ts';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldRow, type FormState } from '../../../ui/form/form.tsx';
import { NativeSelect } from '../../../ui/form/native-select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { FieldCard, SettingsForm, SettingsSkeleton } from '../form/SettingsForm.tsx';
import { useSettingsForm } from '../form/use-settings-form.ts';
import { type Issuer, toUpdate, toValues, type Update, type Values } from './issuer-values.ts';

export function Screen() {
  const { t } = useTranslation('invoices');
  const { id: programId } = useProgram();
  const read = useRead('invoiceIssuer.get', { path: { programId } });
  return (
    <Page title={t('title')} lede={t('lede')}>
      <Loaded read={read} what={t('settings.what')} skeleton={<SettingsSkeleton />}>
        {(stored) => <Settings stored={stored} />}
      </Loaded>
    </Page>
  );
}

function Settings({ stored }: { stored: Issuer }) {
  const { t } = useTranslation('invoices');
  const { id: programId } = useProgram();
  const update = useAction('invoiceIssuer.update', { invalidates: ['invoiceIssuer.get'] });
  const { form, readChanges, callbacks } = useSettingsForm<Issuer, Values, Update>({
    stored,
    toValues,
    toUpdate,
    onSaved: () => showToast(t('settings.saved')),
  });
  const save = () => {
    if (form.hasChanges) update.mutate({ path: { programId }, body: readChanges() }, callbacks);
  };
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={update.isPending} aside={<Rules />}>
      <FieldCard title={t('settings.issue')}>
        <Switch {...form.field('isActive')} label={t('settings.active')} help={t('settings.activeHelp')} />
      </FieldCard>
      <Company form={form} />
      <Vat form={form} />
    </SettingsForm>
  );
}

function Company({ form }: { form: FormState<Values> }) {
  const { t } = useTranslation('invoices');
  const countries = useCountries();
  return (
    <FieldCard title={t('settings.company')}>
      <TextInput {...form.field('legalName')} label={t('settings.legalName')} maxLength={140} />
      <TextInput {...form.field('street')} label={t('settings.street')} maxLength={100} />
      <FieldRow>
        <TextInput {...form.field('postalCode')} label={t('settings.postalCode')} maxLength={20} />
        <TextInput {...form.field('city')} label={t('settings.city')} maxLength={60} />
      </FieldRow>
      <NativeSelect
        {...form.field('country')}
        label={t('settings.country')}
        help={t('settings.countryHelp')}
        options={countries}
        placeholder={t('settings.chooseCountry')}
      />
    </FieldCard>
  );
}

function Vat({ form }: { form: FormState<Values> }) {
  const { t } = useTranslation('invoices');
  return (
    <FieldCard title={t('settings.vat')}>
      <FieldRow>
        <TextInput {...form.field('vatId')} label={t('settings.vatId')} isMono maxLength={20} />
        <TextInput {...form.field('taxNumber')} label={t('settings.taxNumber')} isMono maxLength={50} />
      </FieldRow>
      <RateInput {...form.field('vatRatePercent')} label={t('settings.rate')} help={t('settings.rateHelp')} />
      <TextInput {...form.field('numberPrefix')} label={t('settings.prefix')} help={t('settings.prefixHelp')} isMono maxLength={12} />
    </FieldCard>
  );
}

/** What each affiliate's invoice says about VAT. */
function Rules() {
  const { t } = useTranslation('invoices');
  return (
    <Card title={t('rules.title')}>
      <Stack gap={12}>
        <Text>{t('rules.gross')}</Text>
        <Text>{t('rules.domestic')}</Text>
        <Text>{t('rules.smallBusiness')}</Text>
        <Text>{t('rules.reverseCharge')}</Text>
        <Text>{t('rules.outsideEu')}</Text>
        <Text size="small">{t('rules.accountant')}</Text>
      </Stack>
    </Card>
  );
}
