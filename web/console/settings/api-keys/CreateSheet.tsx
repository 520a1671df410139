// Creates an API key and shows it: the only time that it can be read. The identity is confirmed before the form is filled.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import styles from './api-keys.module.css';
import { ExpiryField } from './ExpiryField.tsx';
import { type Expiry, readRateLimit, toExpiresAt } from './expiry.ts';
import { NewSecret } from './NewSecret.tsx';

type Values = { name: string; scope: 'read' | 'write'; expiry: Expiry; rateLimitPerMinute: string };

const empty: Values = { name: '', scope: 'read', expiry: 'never', rateLimitPerMinute: '' };
const formId = 'create-api-key';

export function CreateSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('api-keys');
  const { id: programId } = useProgram();
  const form = useForm(empty);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useAction('apiKeys.create', { invalidates: ['apiKeys.list'] });
  useStepUp(true, onClose);
  const submit = () => {
    const { name, scope, expiry } = form.values;
    const rateLimitPerMinute = readRateLimit(form.values.rateLimitPerMinute);
    if (name.trim() === '') return form.setMissing(['name']);
    if (Number.isNaN(rateLimitPerMinute))
      return form.setProblem({ message: '', details: [{ path: ['rateLimitPerMinute'], message: 'must be a whole number' }] });
    const scopes: ('read' | 'write')[] = scope === 'write' ? ['read', 'write'] : ['read'];
    create.mutate(
      { path: { programId }, body: { name, scopes, expiresAt: toExpiresAt(expiry, new Date()), rateLimitPerMinute } },
      {
        onSuccess: ({ key }) => {
          form.reset(empty);
          setSecret(key);
        },
        onError: (error) => form.setProblem(error),
      },
    );
  };
  const footer = (
    <>
      <CancelButton>{t('cancel')}</CancelButton>
      <Button kind="primary" type="submit" form={formId} icon="plus" isBusy={create.isPending}>
        {t('create')}
      </Button>
    </>
  );
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('createTitle')}
      hasChanges={form.hasChanges || secret !== null}
      footer={secret === null ? footer : undefined}
    >
      {secret === null ? (
        <Form form={form} id={formId} onSubmit={submit}>
          <TextInput {...form.field('name')} label={t('field.name')} help={t('field.nameHelp')} maxLength={100} hasAutoFocus isRequired />
          <Stack gap={8}>
            <span className={styles.legend}>{t('field.scope')}</span>
            <Segments
              label={t('field.scope')}
              tabs={(['read', 'write'] as const).map((id) => ({ id, label: t(`scope.${id}`) }))}
              value={form.values.scope}
              onChange={(scope) => form.setValues({ scope })}
            />
            <Text size="small">{t(`scopeHelp.${form.values.scope}`)}</Text>
          </Stack>
          <ExpiryField {...form.field('expiry')} />
          <TextInput
            {...form.field('rateLimitPerMinute')}
            label={t('field.rateLimit')}
            help={t('field.rateLimitHelp')}
            inputMode="numeric"
            after={<span className={styles.unit}>{t('perMinute')}</span>}
          />
        </Form>
      ) : (
        <NewSecret secret={secret} onDone={onClose} />
      )}
    </Sheet>
  );
}
