// Creating a program: its name, its currency, which can't be changed, and where its customers are.
import { useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import type { Me } from '../../session/me.ts';
import { Button } from '../../ui/controls/button.tsx';
import { currencyCodes } from '../../ui/figures/currencies.gen.ts';
import { Switch } from '../../ui/form/choices.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, Form, type FormState, useForm } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { TimezoneSelect } from '../../ui/form/timezone.tsx';
import { useNavigate } from '../../ui/layout/link.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { copyTerms } from './copy-terms.ts';

type Values = {
  name: string;
  organizationId: string;
  currency: string;
  timezone: string;
  websiteUrl: string;
  isTest: boolean;
  copyFrom: string | null;
};
type Props = { organizations: Me['programOrganizations']; programs: Me['programs']; onClose: () => void };

export function CreateProgram({ organizations, programs, onClose }: Props) {
  const { t } = useTranslation('programs');
  const id = useId();
  const { form, submit, isBusy } = useCreate(organizations);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('newProgram.title')}
      detail={t('newProgram.detail')}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('newProgram.cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={id} icon="plus" isBusy={isBusy}>
            {t('newProgram.create')}
          </Button>
        </>
      }
    >
      <Form form={form} id={id} onSubmit={submit}>
        <TextInput
          {...form.field('name')}
          label={t('newProgram.name')}
          help={t('newProgram.nameHelp')}
          maxLength={100}
          hasAutoFocus
          isRequired
        />
        <Organization field={form.field('organizationId')} organizations={organizations} />
        <FieldRow>
          <CurrencySelect field={form.field('currency')} />
          <TimezoneSelect {...form.field('timezone')} label={t('newProgram.timezone')} help={t('newProgram.timezoneHelp')} />
        </FieldRow>
        <TextInput
          {...form.field('websiteUrl')}
          label={t('newProgram.website')}
          help={t('newProgram.websiteHelp')}
          placeholder="https://"
          type="url"
          inputMode="url"
        />
        <CopyFrom form={form} programs={programs} />
        <Switch {...form.field('isTest')} label={t('newProgram.test')} help={t('newProgram.testHelp')} />
      </Form>
    </Sheet>
  );
}

function useCreate(organizations: Props['organizations']) {
  const { t } = useTranslation('programs');
  const navigate = useNavigate();
  const [createdId, setCreatedId] = useState<string | null>(null);
  // Once the form has no changes anymore, so that leaving it doesn't ask.
  useEffect(() => {
    if (createdId !== null) navigate(`/console/${createdId}`);
  }, [createdId, navigate]);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const organizationId = organizations[0]?.id ?? '';
  const form = useForm<Values>({
    name: '',
    organizationId,
    currency: 'USD',
    timezone: timeZone,
    websiteUrl: '',
    isTest: true,
    copyFrom: null,
  });
  const [isCopying, setCopying] = useState(false);
  const create = useAction('programs.create', { invalidates: ['appMe.get'] });
  const submit = () => {
    const { websiteUrl, isTest, copyFrom, ...fields } = form.values;
    create.mutate(
      { body: { ...fields, websiteUrl: websiteUrl.trim() || null, mode: isTest ? 'test' : 'live' } },
      {
        onError: form.setProblem,
        onSuccess: ({ id, name }) => {
          const finish = () => {
            form.reset(form.values);
            setCreatedId(id);
          };
          if (copyFrom === null) {
            showToast(t('newProgram.created', { name }));
            return finish();
          }
          setCopying(true);
          // The program exists: it shows what could not be copied, which can be added manually.
          void copyTerms(copyFrom, id)
            .then(() => showToast(t('newProgram.created', { name })))
            .catch(() => showToast(t('newProgram.copyFailed', { name }), { tone: 'error' }))
            .finally(finish);
        },
      },
    );
  };
  return { form, submit, isBusy: create.isPending || isCopying };
}

/** Programs of the same organization and currency, whose amounts mean the same. Not shown without one. */
function CopyFrom({ form, programs }: { form: FormState<Values>; programs: Props['programs'] }) {
  const { t } = useTranslation('programs');
  const { organizationId, currency } = form.values;
  const sources = programs.filter((program) => program.organizationId === organizationId && program.currency === currency);
  const field = form.field('copyFrom');
  const isGone = field.value !== null && !sources.some(({ id }) => id === field.value);
  const { setValues } = form;
  useEffect(() => {
    if (isGone) setValues({ copyFrom: null });
  }, [isGone, setValues]);
  if (sources.length === 0) return null;
  return (
    <Select
      {...field}
      label={t('newProgram.copyFrom')}
      help={t('newProgram.copyFromHelp')}
      placeholder={t('newProgram.copyNothing')}
      options={sources.map(({ id, name }) => ({ value: id, label: name }))}
      canClear
    />
  );
}

type Field = { name: string; value: string; onChange: (value: string) => void; error: string | undefined };

/** Only where there is a choice. */
function Organization({ field, organizations }: { field: Field; organizations: Props['organizations'] }) {
  const { t } = useTranslation('programs');
  if (organizations.length < 2) return null;
  return (
    <Select {...field} label={t('newProgram.organization')} options={organizations.map(({ id, name }) => ({ value: id, label: name }))} />
  );
}

function CurrencySelect({ field }: { field: Field }) {
  const { t, i18n } = useTranslation('programs');
  const options = useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'currency' });
    return currencyCodes.map((code) => ({ value: code, label: `${code} · ${names.of(code) ?? code}` }));
  }, [i18n.language]);
  return <Select {...field} label={t('newProgram.currency')} help={t('newProgram.currencyHelp')} options={options} isSearchable />;
}
