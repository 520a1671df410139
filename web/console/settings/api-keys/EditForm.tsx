// Changes the name and the rate limit of a key.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import styles from './api-keys.module.css';
import { readRateLimit } from './expiry.ts';
import type { ApiKey } from './KeyStatus.tsx';

type Props = { apiKey: ApiKey; onChanged: (hasChanges: boolean) => void; onDone: () => void };

export function EditForm({ apiKey, onChanged, onDone }: Props) {
  const { t } = useTranslation('api-keys');
  const { id: programId } = useProgram();
  const form = useForm({ name: apiKey.name, rateLimitPerMinute: apiKey.rateLimitPerMinute?.toString() ?? '' });
  const update = useAction('apiKeys.update', { invalidates: ['apiKeys.list', 'apiKeys.get'] });
  useStepUp(true, onDone);
  const { hasChanges } = form;
  useEffect(() => onChanged(hasChanges), [hasChanges, onChanged]);
  const submit = () => {
    const rateLimitPerMinute = readRateLimit(form.values.rateLimitPerMinute);
    if (Number.isNaN(rateLimitPerMinute))
      return form.setProblem({ message: '', details: [{ path: ['rateLimitPerMinute'], message: 'must be a whole number' }] });
    update.mutate(
      { path: { programId, id: apiKey.id }, body: { name: form.values.name, rateLimitPerMinute } },
      {
        onSuccess: () => {
          showToast(t('saved'), { tone: 'success' });
          onDone();
        },
        onError: (error) => form.setProblem(error),
      },
    );
  };
  const buttons = (
    <>
      <Button kind="primary" type="submit" isBusy={update.isPending}>
        {t('save')}
      </Button>
      <Button onClick={onDone}>{t('cancel')}</Button>
    </>
  );
  return (
    <Form form={form} onSubmit={submit} buttons={buttons}>
      <TextInput {...form.field('name')} label={t('field.name')} maxLength={100} hasAutoFocus isRequired />
      <TextInput
        {...form.field('rateLimitPerMinute')}
        label={t('field.rateLimit')}
        help={t('field.rateLimitHelp')}
        inputMode="numeric"
        after={<span className={styles.unit}>{t('perMinute')}</span>}
      />
    </Form>
  );
}
