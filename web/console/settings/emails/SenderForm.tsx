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
import { Link } from '../../../ui/layout/link.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';

type Brand = Result<'brand.get'>;

export function SenderForm({ brand }: { brand: Brand }) {
  const { t } = useTranslation('emails');
  const { id: programId, name, href } = useProgram();
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
          <TextArea {...form.field('postalAddress')} label={t('sender.address')} maxLength={300} rows={2} help={t('sender.addressHelp')} />
          <Select
            {...form.field('emailLocale')}
            label={t('sender.language')}
            options={[
              { value: 'en', label: t('preview.en') },
              { value: 'de', label: t('preview.de') },
            ]}
            help={t('sender.languageHelp')}
          />
        </FieldRow>
        <Text size="small">
          <Link href={href('settings/brand')}>{t('sender.brand')}</Link>
        </Text>
      </Form>
    </Card>
  );
}

type Values = Record<'senderName' | 'replyTo' | 'postalAddress', string> & Pick<Brand, 'emailLocale'>;

function toValues({ senderName, replyTo, postalAddress, emailLocale }: Brand): Values {
  return {
    senderName: senderName ?? '',
    replyTo: replyTo ?? '',
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
    postalAddress: orNull(texts.postalAddress),
  };
}
