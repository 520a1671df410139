// One group: its terms, the rules that apply to it, its members; editing and archiving.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { StaleNotice } from '../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../states/edit/use-edit.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { ArchiveForm } from './ArchiveForm.tsx';
import { affected } from './affected.ts';
import { GroupDetails } from './GroupDetails.tsx';
import { GroupForm, problemOf } from './GroupForm.tsx';
import { toUpdate, toValues } from './group-values.ts';
import type { Group } from './use-columns.tsx';

const formId = 'edit-group';

type Mode = 'show' | 'edit' | 'archive';

export function GroupSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('groups');
  const { id: programId } = useProgram();
  const [mode, setMode] = useState<Mode>('show');
  const read = useRead('groups.get', { path: { programId, id } });
  const stop = () => setMode('show');
  if (mode === 'edit' && read.data) return <EditSheet group={read.data} onClose={stop} />;
  return (
    <Sheet isOpen onClose={onClose} title={read.data?.name ?? t('whatOne')} detail={read.data?.description ?? undefined}>
      <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={8} />}>
        {(group) =>
          mode === 'archive' ? (
            <ArchiveForm group={group} onDone={stop} />
          ) : (
            <Stack gap={24}>
              <Actions group={group} onMode={setMode} />
              <GroupDetails group={group} />
            </Stack>
          )
        }
      </Loaded>
    </Sheet>
  );
}

function Actions({ group: { id, name, status }, onMode }: { group: Group; onMode: (mode: Mode) => void }) {
  const { t } = useTranslation('groups');
  const { id: programId, can } = useProgram();
  const update = useAction('groups.update', { invalidates: affected });
  const restore = () =>
    update.mutate(
      { path: { programId, id }, body: { status: 'active' } },
      { onSuccess: () => showToast(t('restored', { name })), onError: showProblem },
    );
  if (!can('terms.write')) return null;
  return (
    <Row>
      <Button icon="edit" onClick={() => onMode('edit')}>
        {t('edit')}
      </Button>
      {status === 'active' ? (
        <Button icon="archive" onClick={() => onMode('archive')}>
          {t('archive.action')}
        </Button>
      ) : (
        <Button icon="check" isBusy={update.isPending} onClick={restore}>
          {t('restore')}
        </Button>
      )}
    </Row>
  );
}

function EditSheet({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation('groups');
  const edit = useGroupEdit(group, onClose);
  const { form, conflict, isBusy, submit } = edit;
  const labels = {
    name: t('column.name'),
    description: t('column.description'),
    holdDays: t('column.hold'),
    minimumPayoutCents: t('column.minimum'),
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('editTitle', { name: group.name })}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={isBusy} disabled={conflict !== null}>
            {t('save')}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <StaleNotice edit={edit} toValues={toValues} labels={labels} />
        <GroupForm form={form} id={formId} onSubmit={submit} />
      </Stack>
    </Sheet>
  );
}

function useGroupEdit(group: Group, onClose: () => void) {
  const { t } = useTranslation('groups');
  const { id: programId } = useProgram();
  const path = { programId, id: group.id };
  const update = useAction('groups.update', { invalidates: affected });
  return useEdit({
    stored: group,
    toValues,
    load: () => call('groups.get', { path }),
    save: ({ base, values }) => update.mutateAsync({ path, body: toUpdate(toValues(base), values), ifMatch: base.version }),
    onSaved: () => {
      showToast(t('saved'), { tone: 'success' });
      onClose();
    },
    toProblem: problemOf,
  });
}
