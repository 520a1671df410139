import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { type Role, RoleField } from './RoleField.tsx';

type Values = { email: string; name: string; role: Role };

const empty: Values = { email: '', name: '', role: 'viewer' };

/** Invites a member by email. */
export function InviteSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('members');
  const { id: programId } = useProgram();
  const id = useId();
  const form = useForm<Values>(empty);
  const invite = useAction('memberInvitations.create', { invalidates: ['memberInvitations.list'] });
  const close = () => {
    form.reset(empty);
    onClose();
  };
  useStepUp(isOpen, close);
  const send = async () => {
    try {
      const { email } = await invite.mutateAsync({ path: { programId }, body: form.values });
      showToast(t('invited', { email }));
      close();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const isKnown = error.code === 'member_exists' || error.code === 'invitation_exists';
      form.setProblem(
        isKnown
          ? { message: '', details: [{ path: ['email'], message: t(`problem.${error.code as 'member_exists' | 'invitation_exists'}`) }] }
          : { message: error.message, details: error.details ?? [] },
      );
    }
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('inviteTitle')}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={id} icon="send" isBusy={invite.isPending}>
          {t('sendInvitation')}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={() => void send()}>
        <TextInput {...form.field('email')} label={t('email')} type="email" inputMode="email" hasAutoFocus isRequired />
        <TextInput {...form.field('name')} label={t('name')} maxLength={100} isRequired />
        <RoleField {...form.field('role')} />
        <Text size="small">{t('inviteHelp')}</Text>
      </Form>
    </Sheet>
  );
}
