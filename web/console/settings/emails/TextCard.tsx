// The text of an email in one language, and whether the program sends the email.
import { type FocusEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea, TextInput } from '../../../ui/form/fields.tsx';
import { Form, type FormState } from '../../../ui/form/form.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Placeholders } from './Placeholders.tsx';
import { type EmailSetting, type EmailText, type Locale, textOf } from './preview-types.ts';
import { SendSwitch } from './SendSwitch.tsx';

type Props = { setting: EmailSetting; locale: Locale; form: FormState<EmailText> };
type Caret = { name: keyof EmailText; start: number; end: number };

const invalidates = ['emailSettings.get', 'emailPreview.get'] as const;

export function TextCard({ setting, locale, form }: Props) {
  const { t } = useTranslation('emails');
  const { id: programId } = useProgram();
  const save = useAction('emailTexts.update', { invalidates });
  const { email, placeholders } = setting;
  const caret = useRef<Caret | null>(null);
  const submit = () =>
    save.mutate(
      { path: { programId }, body: { email, locale, ...form.values } },
      {
        onSuccess: (saved) => {
          form.reset(textOf(saved, locale));
          showToast(t('text.saved'));
        },
        onError: form.setProblem,
      },
    );
  const remember = (event: FocusEvent<HTMLElement>) => {
    caret.current = findCaret(event) ?? caret.current;
  };
  const insert = (placeholder: string) => {
    const { name, start, end } = caret.current ?? { name: 'body', start: form.values.body.length, end: form.values.body.length };
    const text = form.values[name];
    form.setValues({ [name]: `${text.slice(0, start)}${placeholder}${text.slice(end)}` });
    caret.current = { name, start: start + placeholder.length, end: start + placeholder.length };
  };
  return (
    <Card title={t(`email.${email}`)} detail={t(`preview.${locale}`)}>
      <Stack gap={20}>
        {setting.isOn === null ? null : <SendSwitch setting={setting} />}
        <Form form={form} onSubmit={submit} buttons={<Actions setting={setting} locale={locale} form={form} isBusy={save.isPending} />}>
          <TextInput {...form.field('subject')} label={t('text.subject')} maxLength={150} onBlur={remember} />
          <TextInput {...form.field('heading')} label={t('text.heading')} maxLength={150} onBlur={remember} />
          <TextArea {...form.field('body')} label={t('text.body')} rows={5} maxLength={2000} help={t('text.bodyHelp')} onBlur={remember} />
          <Placeholders names={placeholders} onInsert={insert} />
        </Form>
      </Stack>
    </Card>
  );
}

/** Where a field was edited last. */
function findCaret({ target }: FocusEvent<HTMLElement>): Caret | null {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return null;
  const { name, selectionStart, selectionEnd, value } = target;
  if (name !== 'subject' && name !== 'heading' && name !== 'body') return null;
  return { name, start: selectionStart ?? value.length, end: selectionEnd ?? value.length };
}

function Actions({ setting: { email, texts }, locale, form, isBusy }: Props & { isBusy: boolean }) {
  const { t } = useTranslation('emails');
  const { id: programId } = useProgram();
  const restore = useAction('emailTexts.restore', { invalidates });
  const test = useAction('emailTexts.test', { invalidates: ['emails.list'] });
  const sendTest = () => {
    form.setProblem(null);
    test.mutate(
      { path: { programId }, body: { email, locale, ...form.values } },
      {
        onSuccess: ({ to, status }) => showToast(t(status === 'stored' ? 'text.testStored' : 'text.testSent', { to })),
        onError: form.setProblem,
      },
    );
  };
  const restoreDefault = () =>
    restore.mutate(
      { path: { programId }, body: { email, locale } },
      {
        onSuccess: (restored) => {
          form.reset(textOf(restored, locale));
          showToast(t('text.restored'));
        },
        onError: form.setProblem,
      },
    );
  return (
    <>
      {texts[locale].isEdited ? (
        <Button isBusy={restore.isPending} onClick={restoreDefault}>
          {t('text.restore')}
        </Button>
      ) : null}
      <Button icon="send" isBusy={test.isPending} onClick={sendTest}>
        {t('text.test')}
      </Button>
      <Button kind="primary" type="submit" isBusy={isBusy} disabled={!form.hasChanges}>
        {t('text.save')}
      </Button>
    </>
  );
}
