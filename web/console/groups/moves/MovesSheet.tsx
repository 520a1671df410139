// Moving affiliates between groups by their volume: the settings, and who would move with them before they are saved.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { StaleNotice } from '../../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../../states/edit/use-edit.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { affected } from '../affected.ts';
import { MovesForm } from './MovesForm.tsx';
import { MovesPreview } from './MovesPreview.tsx';
import { byVolume, findFault, type Group, type Moves, type MovesValues, toBody, toValues } from './moves-values.ts';
import { useValueTexts } from './use-value-texts.ts';

export function MovesSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('groups');
  const { id: programId } = useProgram();
  const moves = useRead('groupMoves.get', { path: { programId } }, { enabled: isOpen });
  const groups = useRead(
    'groups.list',
    { path: { programId }, query: { limit: 200, status: ['active'], sort: 'name' } },
    { enabled: isOpen },
  );
  if (isOpen && moves.data && groups.data) {
    const ladder = byVolume(groups.data.groups, moves.data);
    if (ladder.length > 0) return <Editor moves={moves.data} groups={ladder} onClose={onClose} />;
  }
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('moves.title')} detail={t('moves.detail')}>
      <Loaded read={moves} what={t('moves.what')} skeleton={<SkeletonText lines={8} />}>
        {() => (
          <Loaded read={groups} what={t('title')} skeleton={<SkeletonText lines={8} />}>
            {() => <Text>{t('moves.noGroups')}</Text>}
          </Loaded>
        )}
      </Loaded>
    </Sheet>
  );
}

type EditorProps = { moves: Moves; groups: readonly Group[]; onClose: () => void };

function Editor({ moves, groups, onClose }: EditorProps) {
  const { t } = useTranslation('groups');
  const id = useId();
  const edit = useMovesEdit({ moves, groups, onClose });
  const { form, conflict, isBusy, submit } = edit;
  const texts = useValueTexts(groups);
  const fault = findFault(form.values, groups);
  const save = () => {
    if (fault === null) submit();
    else if (fault.reason === 'missing') form.setMissing([fault.field]);
    else form.setProblem({ message: '', details: [{ path: [fault.field], message: t('moves.same') }] });
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('moves.title')}
      detail={t('moves.detail')}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={id} keys="mod+s" isBusy={isBusy} disabled={conflict !== null}>
            {t('save')}
          </Button>
        </>
      }
    >
      <Stack gap={24}>
        <StaleNotice edit={edit} toValues={toValues} {...texts} />
        <MovesForm form={form} id={id} groups={groups} timezone={moves.timezone} onSubmit={save} />
        <MovesPreview settings={{ body: toBody(form.values, groups), fault }} lastRunAt={moves.lastRunAt} />
      </Stack>
    </Sheet>
  );
}

function useMovesEdit({ moves, groups, onClose }: EditorProps) {
  const { t } = useTranslation('groups');
  const { id: programId } = useProgram();
  const path = { programId };
  const update = useAction('groupMoves.update', { invalidates: ['groupMoves.get', 'groupMoves.preview', ...affected] });
  return useEdit<Moves, MovesValues>({
    stored: moves,
    toValues,
    load: () => call('groupMoves.get', { path }),
    save: ({ base, values }) => update.mutateAsync({ path, body: toBody(values, groups), ifMatch: base.version }),
    onSaved: () => {
      showToast(t('moves.saved'), { tone: 'success' });
      onClose();
    },
  });
}
