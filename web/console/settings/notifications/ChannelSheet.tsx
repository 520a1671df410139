// Adds or changes a channel. The address of an existing one is not shown; a new one replaces it.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { MultiSelect, Select } from '../../../ui/form/select.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import type { Channel } from './channel.ts';

type Values = Pick<Channel, 'name' | 'locale'> & { url: string; kinds: readonly Channel['kinds'][number][] };

const kinds = [
  'application',
  'page',
  'content',
  'fraud_alert',
  'large_order',
  'payout_approval',
  'payout_sent',
  'payout_batch_failed',
  'payout_failed',
  'payout_problem',
  'connection',
] as const satisfies readonly Channel['kinds'][number][];

type Props = { edited: Channel | 'new' | null; onClose: () => void };

export function ChannelSheet({ edited, onClose }: Props) {
  const { t, i18n } = useTranslation('notifications');
  const { id: programId } = useProgram();
  const id = useId();
  const channel = edited === 'new' ? null : edited;
  const locale = i18n.language === 'de' ? 'de' : 'en';
  const form = useForm<Values>({ name: channel?.name ?? '', url: '', kinds: channel?.kinds ?? [], locale: channel?.locale ?? locale });
  const invalidates = ['notificationChannels.list'] as const;
  const create = useAction('notificationChannels.create', { invalidates });
  const update = useAction('notificationChannels.update', { invalidates });
  useStepUp(edited !== null, onClose);
  const submit = async () => {
    const { url, kinds: chosen, ...others } = form.values;
    const body = { ...others, kinds: [...chosen] };
    try {
      if (channel === null) await create.mutateAsync({ path: { programId }, body: { ...body, url } });
      else await update.mutateAsync({ path: { programId, id: channel.id }, body: url === '' ? body : { ...body, url } });
      showToast(t('channels.saved'), { tone: 'success' });
      onClose();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      form.setProblem({ message: error.message, details: error.details ?? [] });
    }
  };
  const footer = (
    <Button kind="primary" type="submit" form={id} isBusy={create.isPending || update.isPending}>
      {t('channels.save')}
    </Button>
  );
  const title = channel === null ? t('channels.addTitle') : t('channels.editTitle', { name: channel.name });
  return (
    <Sheet isOpen={edited !== null} onClose={onClose} title={title} hasChanges={form.hasChanges} footer={footer}>
      <Form form={form} id={id} onSubmit={() => void submit()}>
        <TextInput
          {...form.field('name')}
          label={t('channels.name')}
          help={t('channels.nameHelp')}
          maxLength={100}
          hasAutoFocus
          isRequired
        />
        <TextInput
          {...form.field('url')}
          label={t('channels.url')}
          help={channel === null ? t('channels.urlHelp') : t('channels.urlKept', { url: channel.url })}
          inputMode="url"
          isRequired={channel === null}
        />
        <MultiSelect
          {...form.field('kinds')}
          label={t('channels.kinds')}
          options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        <Select
          {...form.field('locale')}
          label={t('channels.locale')}
          options={(['en', 'de'] as const).map((value) => ({ value, label: t(`channels.language.${value}`) }))}
        />
      </Form>
    </Sheet>
  );
}
