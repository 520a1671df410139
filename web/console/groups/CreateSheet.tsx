import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useForm } from '../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { GroupForm, problemOf } from './GroupForm.tsx';
import { emptyGroup } from './group-values.ts';

const formId = 'create-group';

/** Adds a group. */
export function CreateSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('groups');
  const { id: programId } = useProgram();
  const form = useForm(emptyGroup);
  const create = useAction('groups.create', { invalidates: ['groups.list'] });
  const close = () => {
    form.reset(emptyGroup);
    onClose();
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('createTitle')}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={create.isPending}>
            {t('create')}
          </Button>
        </>
      }
    >
      <GroupForm
        form={form}
        id={formId}
        onSubmit={(body) =>
          create.mutate(
            { path: { programId }, body },
            {
              onSuccess: ({ name }) => {
                showToast(t('created', { name }), { tone: 'success' });
                close();
              },
              onError: (error) => form.setProblem(problemOf(error)),
            },
          )
        }
      />
    </Sheet>
  );
}
