// Creates a webhook, and then shows its secret: the only time that it can be read.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { MultiSelect } from '../../../ui/form/select.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { Secret } from './Secret.tsx';

const families = [
  'affiliate',
  'conversion',
  'commission',
  'refund',
  'coupon',
  'landingPage',
  'payout',
  'payoutBatch',
  'invoice',
  'rule',
  'fraud',
] as const;

type Values = { url: string; description: string; eventTypes: readonly string[] };

const empty: Values = { url: '', description: '', eventTypes: ['*'] };

export function CreateSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  const { id: programId } = useProgram();
  const id = useId();
  const form = useForm<Values>(empty);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useAction('webhooks.create', { invalidates: ['webhooks.list'] });
  const close = () => {
    form.reset(empty);
    setSecret(null);
    onClose();
  };
  useStepUp(isOpen, close);
  const submit = async () => {
    const { url, description, eventTypes } = form.values;
    try {
      const body = { url, eventTypes: [...eventTypes], description: description === '' ? null : description };
      setSecret((await create.mutateAsync({ path: { programId }, body })).secret);
      form.reset(empty);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      form.setProblem({ message: error.message, details: error.details ?? [] });
    }
  };
  const options = [
    { value: '*', label: t('family.all') },
    ...families.map((name) => ({ value: `${name}.*`, label: t(`family.${name}`), detail: `${name}.*` })),
  ];
  const footer = (
    <Button kind="primary" type="submit" form={id} icon="plus" isBusy={create.isPending}>
      {t('create')}
    </Button>
  );
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('createTitle')}
      hasChanges={form.hasChanges}
      footer={secret === null ? footer : undefined}
    >
      {secret === null ? (
        <Form form={form} id={id} onSubmit={() => void submit()}>
          <TextInput {...form.field('url')} label={t('field.url')} help={t('field.urlHelp')} inputMode="url" hasAutoFocus isRequired />
          <TextInput {...form.field('description')} label={t('field.description')} maxLength={200} />
          <MultiSelect {...form.field('eventTypes')} label={t('field.eventTypes')} options={options} />
        </Form>
      ) : (
        <Secret secret={secret} onDone={close} />
      )}
    </Sheet>
  );
}
