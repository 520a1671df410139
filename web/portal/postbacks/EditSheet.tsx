// Adds or changes a postback: the URL with macros to tap, what it looks like when it is called, and for which events.
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { Form, type FormState, useForm } from '../../ui/form/form.tsx';
import { MultiSelect } from '../../ui/form/select.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import type { Postback } from './postback.ts';
import styles from './postbacks.module.css';
import { insertMacro, type Macro, previewUrl } from './preview.ts';

type Event = Postback['eventTypes'][number];
type Values = { url: string; method: Postback['method']; eventTypes: readonly Event[] };

const empty: Values = { url: '', method: 'GET', eventTypes: ['commission.created'] };

type Props = { postback: Postback | null; macros: readonly Macro[]; events: readonly Event[]; onClose: () => void };

export function EditSheet({ postback, macros, events, onClose }: Props) {
  const { t } = useTranslation('portal-postbacks');
  const id = useId();
  const form = useForm<Values>(postback ?? empty);
  const { save, isSaving } = useSave(postback, form, onClose);
  const options = events.map((event) => ({ value: event, label: t(`event.${event.replace('.', '_') as 'test'}`), detail: event }));
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t(postback === null ? 'edit.new' : 'edit.title')}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={id} isBusy={isSaving}>
          {t(postback === null ? 'edit.create' : 'edit.save')}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={save}>
        <UrlField form={form} macros={macros} />
        <MultiSelect {...form.field('eventTypes')} label={t('edit.events')} options={options} />
        <Stack gap={8}>
          <Text tone="ink">{t('edit.method')}</Text>
          <div>
            <Segments
              label={t('edit.method')}
              tabs={[
                { id: 'GET', label: 'GET' },
                { id: 'POST', label: 'POST' },
              ]}
              value={form.values.method}
              onChange={(method: Values['method']) => form.setValues({ method })}
            />
          </div>
          <Text size="small" tone="ink-3">
            {t('edit.methodHelp')}
          </Text>
        </Stack>
      </Form>
    </Sheet>
  );
}

function useSave(postback: Postback | null, form: FormState<Values>, onClose: () => void) {
  const { t } = useTranslation('portal-postbacks');
  const { programId } = useAccount();
  const create = useAction('portal.createPostback', { invalidates: ['portal.postbacks'] });
  const update = useAction('portal.updatePostback', { invalidates: ['portal.postbacks'] });
  const onSuccess = () => {
    showToast(t('edit.saved'));
    onClose();
  };
  const save = () => {
    const { url, method, eventTypes } = form.values;
    const body = { url, method, eventTypes: [...eventTypes] };
    const handlers = { onSuccess, onError: form.setProblem };
    if (postback === null) create.mutate({ path: { programId }, body }, handlers);
    else update.mutate({ path: { programId, id: postback.id }, body }, handlers);
  };
  return { save, isSaving: create.isPending || update.isPending };
}

function UrlField({ form, macros }: { form: FormState<Values>; macros: readonly Macro[] }) {
  const { t } = useTranslation('portal-postbacks');
  const input = useRef<HTMLInputElement>(null);
  const { url } = form.values;
  const add = (name: string) => {
    const field = input.current;
    const selection = [field?.selectionStart ?? url.length, field?.selectionEnd ?? url.length] as const;
    const inserted = insertMacro(url, name, selection);
    form.setValues({ url: inserted.text });
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(inserted.caret, inserted.caret);
    });
  };
  return (
    <Stack gap={12}>
      <TextInput
        {...form.field('url')}
        ref={input}
        label={t('edit.url')}
        help={t('edit.urlHelp')}
        placeholder="https://tracker.example/postback?cid={sub1}"
        inputMode="url"
        isMono
        hasAutoFocus
        isRequired
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has its own frame. */}
      <div className={styles.macros} role="group" aria-label={t('edit.macros')}>
        {macros.map(({ name }) => (
          <button key={name} type="button" className={styles.macro} title={t(`macro.${name as 'sub1'}`)} onClick={() => add(name)}>
            {`{${name}}`}
          </button>
        ))}
      </div>
      {url.includes('{') ? (
        <div className={styles.preview}>
          <div className={styles.detail}>{t('edit.preview')}</div>
          <div className={styles.called}>{previewUrl(url, macros)}</div>
        </div>
      ) : null}
    </Stack>
  );
}
