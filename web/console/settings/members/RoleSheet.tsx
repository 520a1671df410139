import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import type { Member, Scope } from './member.ts';
import { RoleField } from './RoleField.tsx';

type Props = { member: Member; scope: Scope; isOpen: boolean; onClose: () => void };

/** Changes the role of a member; it takes effect with their next request. */
export function RoleSheet({ member, scope, isOpen, onClose }: Props) {
  const { t } = useTranslation(['members', 'shell']);
  const { id: programId } = useProgram();
  const { userId, name, email } = member;
  const role = (scope === 'program' ? member.programRole : member.organizationRole) ?? member.role;
  const id = useId();
  const form = useForm({ role });
  const update = useAction('members.update', { invalidates: ['members.list'] });
  useStepUp(isOpen, onClose);
  const save = async () => {
    try {
      const saved = await update.mutateAsync({ path: { programId, userId }, body: { role: form.values.role, scope } });
      const changed = (scope === 'program' ? saved.programRole : saved.organizationRole) ?? saved.role;
      form.reset({ role: changed });
      showToast(t('roleChanged', { name, role: t(`shell:role.${changed}`) }));
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
        {scope === 'organization' ? <Text size="small">{t('organizationHelp')}</Text> : null}
      </Form>
    </Sheet>
  );
}
