// Changing a bounty. What affiliates were promised stays: its milestone, reward and first day.
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { StaleNotice } from '../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../states/edit/use-edit.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { BountyFields } from './BountyFields.tsx';
import { affected, type Bounty, toUpdate, toValues } from './bounty-values.ts';

const formId = 'edit-bounty';

export function EditSheet({ bounty, onClose }: { bounty: Bounty; onClose: () => void }) {
  const { t } = useTranslation('bounties');
  const edit = useBountyEdit(bounty, onClose);
  const { form, conflict, isBusy, submit } = edit;
  const labels = {
    name: t('field.name'),
    description: t('field.description'),
    milestone: t('field.milestone'),
    targetOrders: t('field.targetOrders'),
    rewardCents: t('field.reward'),
    budgetCents: t('field.budget'),
    startsOn: t('field.startsOn'),
    endsOn: t('field.endsOn'),
  };
  const footer = (
    <>
      <CancelButton>{t('cancel')}</CancelButton>
      <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={isBusy} disabled={conflict !== null}>
        {t('save')}
      </Button>
    </>
  );
  const title = t('editTitle', { name: bounty.name });
  return (
    <Sheet isOpen onClose={onClose} title={title} detail={t('editDetail')} hasChanges={form.hasChanges} footer={footer}>
      <Form form={form} id={formId} onSubmit={submit}>
        <StaleNotice edit={edit} toValues={toValues} labels={labels} />
        <BountyFields form={form} isNew={false} />
      </Form>
    </Sheet>
  );
}

function useBountyEdit(bounty: Bounty, onClose: () => void) {
  const { t } = useTranslation('bounties');
  const { id: programId } = useProgram();
  const path = { programId, id: bounty.id };
  const update = useAction('bounties.update', { invalidates: affected });
  return useEdit({
    stored: bounty,
    toValues,
    load: () => call('bounties.get', { path }),
    save: ({ base, values }) => update.mutateAsync({ path, body: toUpdate(toValues(base), values), ifMatch: base.version }),
    onSaved: () => {
      showToast(t('saved'), { tone: 'success' });
      onClose();
    },
  });
}
