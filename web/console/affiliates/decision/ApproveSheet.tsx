// Approving an application: the group that the affiliate joins with it.
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import { useGroups } from '../use-groups.ts';

export type Applicant = { id: string; name: string; status: string; group?: { id: string } | null | undefined };

type Props = { applicant: Applicant; isOpen: boolean; onClose: () => void; onApprove: (groupId: string | null) => void };

export function ApproveSheet({ applicant, isOpen, onClose, onApprove }: Props) {
  const { t } = useTranslation('affiliate');
  const groups = useGroups().data?.groups ?? [];
  const form = useForm<{ groupId: string | null }>({ groupId: applicant.group?.id ?? null });
  const { name } = applicant;
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('approve.title', { name })}
      detail={t('approve.effect')}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form="approve">
            {t('approve.submit')}
          </Button>
        </>
      }
    >
      <Form form={form} id="approve" onSubmit={() => onApprove(form.values.groupId)}>
        <Select
          label={t('field.groupId')}
          help={t('approve.groupHelp')}
          placeholder={t('noGroup')}
          options={groups.map((group) => ({ value: group.id, label: group.name }))}
          canClear
          {...form.field('groupId')}
        />
      </Form>
    </Sheet>
  );
}
