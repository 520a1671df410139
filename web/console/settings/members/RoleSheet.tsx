import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { useStepUp } from '../../interventions/use-step-up.ts';
import { useProgram } from '../../session/program.ts';
import type { Member } from './MemberItem.tsx';
import { RoleField } from './RoleField.tsx';

type Props = { member: Member; isOpen: boolean; onClose: () => void };

/** Changes the role of a member; it takes effect with their next request. */
export function RoleSheet({ member: { userId, name, email, role }, isOpen, onClose }: Props) {
  const { t } = useTranslation(['members', 'shell']);
  const { id: programId } = useProgram();
  const id = useId();
  const form = useForm({ role });
  const update = useAction('members.update', { invalidates: ['members.list'] });
  useStepUp(isOpen, onClose);
  const save = async () => {
    try {
      const saved = await update.mutateAsync({ path: { programId, userId }, body: { role: form.values.role } });
      form.reset({ role: saved.role });
      showToast(t('roleChanged', { name, role: t(`shell:role.${saved.role}`) }));
      onClose();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      form.setProblem({ message: error.code === 'last_owner' ? t('problem.last_owner') : error.message, details: error.details ?? [] });
    }
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={() => {
        form.reset({ role });
        onClose();
      }}
      title={t('changeRoleOf', { name })}
      detail={email}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={id} isBusy={update.isPending}>
          {t('saveRole')}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={() => void save()}>
        <RoleField {...form.field('role')} />
      </Form>
    </Sheet>
  );
}
