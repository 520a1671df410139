// The texts of an announcement in both languages, and who gets it. The preview and the number of recipients follow while typing.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { TextArea, TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, Form, type FormState } from '../../ui/form/form.tsx';
import { MultiSelect, Select } from '../../ui/form/select.tsx';
import { useSettled } from '../../ui/form/use-settled.ts';
import { Section } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { useGroups } from '../affiliates/use-groups.ts';
import { Placeholders } from '../settings/emails/Placeholders.tsx';
import { Preview } from '../settings/emails/Preview.tsx';
import { type AnnouncementValues, type Locale, recipientStatuses, textOf, toAudienceQuery } from './announcement-values.ts';

const pauseMs = 400;
const locales = ['en', 'de'] as const;

type FormProps = { form: FormState<AnnouncementValues>; id: string; onSubmit: () => void };
type LocaleProps = { locale: Locale; onLocale: (locale: Locale) => void };

/** The language whose text is edited; at first the user's. */
export function useFormLocale() {
  const { i18n } = useTranslation('announcements');
  return useState<Locale>(i18n.language === 'de' ? 'de' : 'en');
}

export function AnnouncementForm({ form, id, onSubmit, locale, onLocale }: FormProps & LocaleProps) {
  const { t } = useTranslation('announcements');
  const draft = useSettled(JSON.stringify(textOf(form.values, locale)), pauseMs);
  return (
    <Stack gap={24}>
      <Form form={form} id={id} onSubmit={onSubmit}>
        <Section title={t('text.title')} detail={t('text.detail')}>
          <Stack gap={16}>
            <Segments
              label={t('text.language')}
              tabs={locales.map((one) => ({ id: one, label: t(`locale.${one}`) }))}
              value={locale}
              onChange={onLocale}
            />
            <TextFields key={locale} form={form} locale={locale} />
          </Stack>
        </Section>
        <Section title={t('audience.title')}>
          <AudienceFields form={form} />
        </Section>
      </Form>
      <Preview email="announcement" locale={locale} onLocale={onLocale} draft={JSON.parse(draft)} version={draft} />
    </Stack>
  );
}

function TextFields({ form, locale }: { form: FormState<AnnouncementValues>; locale: Locale }) {
  const { t } = useTranslation('announcements');
  const body = `texts.${locale}.body` as const;
  const insert = (placeholder: string) => form.setValues({ [body]: form.values[body] + placeholder });
  return (
    <>
      <TextInput {...form.field(`texts.${locale}.subject`)} label={t('text.subject')} maxLength={150} />
      <TextInput {...form.field(`texts.${locale}.heading`)} label={t('text.heading')} maxLength={150} />
      <TextArea {...form.field(body)} label={t('text.body')} rows={6} maxLength={2000} help={t('text.bodyHelp')} />
      <Placeholders names={['firstName', 'program']} onInsert={insert} />
    </>
  );
}

function AudienceFields({ form }: { form: FormState<AnnouncementValues> }) {
  const { t } = useTranslation('announcements');
  const groups = useGroups().data?.groups ?? [];
  return (
    <Stack gap={16}>
      <MultiSelect
        {...form.field('statuses')}
        label={t('audience.statuses')}
        options={recipientStatuses.map((value) => ({ value, label: t(`recipient.${value}`) }))}
      />
      <FieldRow>
        <MultiSelect
          {...form.field('groupIds')}
          label={t('audience.groups')}
          placeholder={t('audience.allGroups')}
          options={groups.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Select
          {...form.field('locale')}
          label={t('audience.language')}
          placeholder={t('audience.allLanguages')}
          options={locales.map((value) => ({ value, label: t(`locale.${value}`) }))}
          canClear
        />
      </FieldRow>
      <RecipientCount audience={form.values} />
    </Stack>
  );
}

/** How many affiliates match now, and how many of them opted out. */
export function RecipientCount({ audience }: { audience: Pick<AnnouncementValues, 'statuses' | 'groupIds' | 'locale'> }) {
  const { t } = useTranslation('announcements');
  const { id: programId } = useProgram();
  const isEmpty = audience.statuses.length === 0;
  const { data } = useRead('announcementAudience.get', { path: { programId }, query: toAudienceQuery(audience) }, { enabled: !isEmpty });
  if (isEmpty || data === undefined) return null;
  const { recipients, optedOut } = data;
  return (
    <Text tone="ink-2">
      {t('audience.count', { count: recipients - optedOut })} {optedOut > 0 ? t('audience.optedOut', { count: optedOut }) : null}
    </Text>
  );
}
