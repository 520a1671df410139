// What the invoices say about the affiliate, with the agreement. The user confirms their identity first.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { useRecentSignIn } from '../../interventions/use-step-up.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/form/choices.tsx';
import { useCountries } from '../../ui/form/countries.ts';
import { TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, Form, type FormState, useForm } from '../../ui/form/form.tsx';
import { NativeSelect } from '../../ui/form/native-select.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import { emptyValues, languages, toBody, type Values } from './form.ts';

type Props = { details: Result<'portal.invoiceDetails'>; onClose: () => void };

export function EditSheet({ details, onClose }: Props) {
  const { t, i18n } = useTranslation('portal-invoices');
  const { programId } = useAccount();
  const id = useId();
  const language = languages.find((one) => one === i18n.language) ?? 'en';
  const form = useForm<Values>(emptyValues(language));
  useRecentSignIn(true, onClose);
  const agree = useAction('portal.agreeInvoices', { invalidates: ['portal.invoiceDetails', 'portal.invoices'] });
  const save = () =>
    agree.mutate(
      { path: { programId }, body: toBody(form.values) },
      {
        onSuccess: () => {
          showToast(t('edit.saved'));
          onClose();
        },
        onError: form.setProblem,
      },
    );
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('edit.title')}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={id} isBusy={agree.isPending}>
          {t('agree')}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={save}>
        <Stack gap={16}>
          <Text>{t('edit.help')}</Text>
          <Fields form={form} />
          <Checkbox {...form.field('agrees')} label={t('edit.agrees', { issuer: details.issuerName ?? '' })} help={t('edit.agreesHelp')} />
        </Stack>
      </Form>
    </Sheet>
  );
}

function Fields({ form }: { form: FormState<Values> }) {
  const { t } = useTranslation('portal-invoices');
  const countries = useCountries();
  return (
    <>
      <TextInput {...form.field('legalName')} label={t('field.legalName')} autoComplete="name" isRequired maxLength={140} />
      <TextInput {...form.field('street')} label={t('field.street')} autoComplete="address-line1" isRequired maxLength={100} />
      <FieldRow>
        <TextInput {...form.field('postalCode')} label={t('field.postalCode')} autoComplete="postal-code" maxLength={20} />
        <TextInput {...form.field('city')} label={t('field.city')} autoComplete="address-level2" isRequired maxLength={60} />
      </FieldRow>
      <NativeSelect {...form.field('country')} label={t('field.country')} options={countries} placeholder={t('field.choose')} isRequired />
      <TextInput {...form.field('vatId')} label={t('field.vatId')} help={t('field.vatIdHelp')} isMono autoComplete="off" maxLength={30} />
      <TextInput
        {...form.field('taxNumber')}
        label={t('field.taxNumber')}
        help={t('field.taxNumberHelp')}
        isMono
        autoComplete="off"
        maxLength={50}
      />
      <Checkbox {...form.field('isSmallBusiness')} label={t('field.smallBusiness')} help={t('field.smallBusinessHelp')} />
      <NativeSelect
        {...form.field('language')}
        label={t('field.language')}
        options={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
        placeholder={t('field.chooseLanguage')}
        isRequired
      />
    </>
  );
}
