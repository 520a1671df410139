// Who emails to affiliates come from, and what the program shows of itself in them.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea, TextInput } from '../../../ui/form/fields.tsx';
import { FieldRow, Form, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import styles from './emails.module.css';

type Brand = Result<'brand.get'>;

export function SenderForm({ brand }: { brand: Brand }) {
  const { t } = useTranslation('emails');
  const { id: programId, name } = useProgram();
  const form = useForm(toValues(brand));
  const save = useAction('brand.update', { invalidates: ['brand.get', 'emailPreview.get'] });
  const submit = () =>
    save.mutate(
      { path: { programId }, body: toBody(form.values) },
      {
        onSuccess: (saved) => {
          form.reset(toValues(saved));
          showToast(t('sender.saved'));
        },
        onError: form.setProblem,
      },
    );
  const locale = form.field('emailLocale');
  return (
    <Card title={t('sender.title')} detail={t('sender.detail')}>
      <Form
        form={form}
        onSubmit={submit}
        buttons={
          <Button kind="primary" type="submit" isBusy={save.isPending} disabled={!form.hasChanges}>
            {t('sender.save')}
          </Button>
        }
      >
        <FieldRow>
          <TextInput {...form.field('senderName')} label={t('sender.name')} placeholder={name} maxLength={60} help={t('sender.nameHelp')} />
          <TextInput {...form.field('replyTo')} label={t('sender.replyTo')} type="email" help={t('sender.replyToHelp')} />
        </FieldRow>
        <FieldRow>
          <TextInput {...form.field('logoUrl')} label={t('sender.logo')} type="url" inputMode="url" help={t('sender.logoHelp')} />
          <TextInput
            {...form.field('color')}
            label={t('sender.color')}
            placeholder="#0B5F59"
            maxLength={7}
            isMono
            help={t('sender.colorHelp')}
            before={<Swatch color={form.values.color} />}
          />
        </FieldRow>
        <FieldRow>
          <TextArea {...form.field('postalAddress')} label={t('sender.address')} maxLength={300} rows={2} help={t('sender.addressHelp')} />
          <Select
            {...locale}
            onChange={(next) => locale.onChange(next ?? 'en')}
            label={t('sender.language')}
            options={[
              { value: 'en', label: t('preview.en') },
              { value: 'de', label: t('preview.de') },
            ]}
            help={t('sender.languageHelp')}
          />
        </FieldRow>
      </Form>
    </Card>
  );
}

function Swatch({ color }: { color: string }) {
  const shown = /^#[0-9a-f]{6}$/i.test(color) ? color : '#0B5F59';
  return (
    <svg className={styles.swatch} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="7.5" fill={shown} />
    </svg>
  );
}

type Values = Record<'senderName' | 'replyTo' | 'logoUrl' | 'color' | 'postalAddress', string> & Pick<Brand, 'emailLocale'>;

function toValues({ senderName, replyTo, logoUrl, color, postalAddress, emailLocale }: Brand): Values {
  return {
    senderName: senderName ?? '',
    replyTo: replyTo ?? '',
    logoUrl: logoUrl ?? '',
    color: color ?? '',
    postalAddress: postalAddress ?? '',
    emailLocale,
  };
}

/** An empty field has no value. */
function toBody({ emailLocale, ...texts }: Values) {
  const orNull = (text: string) => text.trim() || null;
  return {
    emailLocale,
    senderName: orNull(texts.senderName),
    replyTo: orNull(texts.replyTo),
    logoUrl: orNull(texts.logoUrl),
    color: orNull(texts.color),
    postalAddress: orNull(texts.postalAddress),
  };
}
