// Submits content for a bounty: where it is, and a note for the program.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextArea, TextInput } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import type { Bounty } from './bounty.ts';

const empty = { url: '', note: '' };

export function SubmitSheet({ bounty: { id, name }, onClose }: { bounty: Bounty; onClose: () => void }) {
  const { t } = useTranslation('portal-bounties');
  const { programId, programName } = useAccount();
  const form = useForm(empty);
  const send = useAction('portal.submitContent', { invalidates: ['portal.bounties'] });
  const submit = () => {
    const { url, note } = form.values;
    send.mutate(
      { path: { programId, id }, body: { url, note: note.trim() === '' ? null : note } },
      {
        onSuccess: () => {
          showToast(t('submit.done'), { tone: 'success' });
          onClose();
        },
        onError: ({ message, details }) => form.setProblem({ message, details }),
      },
    );
  };
  const button = (
    <Button kind="primary" type="submit" isBusy={send.isPending}>
      {t('submit.send')}
    </Button>
  );
  return (
    <Sheet isOpen onClose={onClose} title={name} detail={t('submit.text', { program: programName })} hasChanges={form.hasChanges}>
      <Form form={form} onSubmit={submit} buttons={button}>
        <TextInput {...form.field('url')} label={t('submit.url')} help={t('submit.urlHelp')} inputMode="url" isRequired hasAutoFocus />
        <TextArea {...form.field('note')} label={t('submit.note')} maxLength={2000} />
      </Form>
    </Sheet>
  );
}
