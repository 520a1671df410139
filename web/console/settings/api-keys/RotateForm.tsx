// Replaces a key by a new one. Both work for some time, so that the systems that use it can change over.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { ExpiryField } from './ExpiryField.tsx';
import { type Expiry, toExpiresAt } from './expiry.ts';
import type { ApiKey } from './KeyStatus.tsx';

const overlaps = ['0', '1', '24', '72', '168'] as const;
type Overlap = (typeof overlaps)[number];

type Props = { apiKey: ApiKey; onDone: () => void; onSecret: (secret: string) => void };

export function RotateForm({ apiKey, onDone, onSecret }: Props) {
  const { t } = useTranslation('api-keys');
  const { id: programId } = useProgram();
  const form = useForm<{ overlapHours: Overlap | null; expiry: Expiry }>({
    overlapHours: '24',
    expiry: apiKey.expiresAt === null ? 'never' : '90',
  });
  const rotate = useAction('apiKeys.rotate', { invalidates: ['apiKeys.list', 'apiKeys.get'] });
  useStepUp(true, onDone);
  const submit = () => {
    const { overlapHours, expiry } = form.values;
    const body = { overlapHours: Number(overlapHours ?? '24'), expiresAt: toExpiresAt(expiry, new Date()) };
    rotate.mutate(
      { path: { programId, id: apiKey.id }, body },
      { onSuccess: ({ key }) => onSecret(key), onError: (error) => form.setProblem(error) },
    );
  };
  const buttons = (
    <>
      <Button kind="primary" type="submit" icon="refresh" isBusy={rotate.isPending}>
        {t('rotate.action')}
      </Button>
      <Button onClick={onDone}>{t('cancel')}</Button>
    </>
  );
  return (
    <Form form={form} onSubmit={submit} buttons={buttons}>
      <Text>{t('rotate.text')}</Text>
      <Select
        {...form.field('overlapHours')}
        label={t('rotate.overlap')}
        help={t('rotate.overlapHelp')}
        options={overlaps.map((value) => ({ value, label: t(`overlap.${value}`) }))}
      />
      <ExpiryField {...form.field('expiry')} />
    </Form>
  );
}
