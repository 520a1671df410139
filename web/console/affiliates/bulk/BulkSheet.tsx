// A change to the selected affiliates: what it needs, its effect on the first five and in total, and the button that
// makes it. The number of affiliates that the user sees is sent along: if it is no longer correct, nothing changes.
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { isolate } from '../../../locales/isolate.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { Selection } from '../../../ui/table/table-types.ts';
import type { Filter } from '../affiliate-table.ts';
import { BulkFields } from './BulkFields.tsx';
import { BulkPreview } from './BulkPreview.tsx';
import { type BulkBody, type BulkKind, type BulkValues, emptyValues, toBody } from './bulk-change.ts';
import { useUndo } from './use-undo.ts';

const affected = [
  'affiliates.get',
  'affiliates.rates',
  'affiliateTable.activity',
  'affiliateTable.list',
  'affiliateTable.summary',
  'affiliateTable.tags',
  'overview.get',
] as const;

type Props = {
  isOpen: boolean;
  /** Null while nothing is chosen. */
  kind: BulkKind | null;
  onClose: () => void;
  selection: Selection;
  filter: Filter;
  count: number;
  /** The name of the only selected affiliate, if it is known. */
  name?: string | undefined;
  /** With the background task that makes the change; null if it is already made. */
  onDone?: (taskId: string | null) => void;
};

export function BulkSheet({ isOpen, kind, onClose, ...rest }: Props) {
  const toTitle = useTitle();
  const [shown, setShown] = useState<BulkKind>('approve');
  if (kind !== null && kind !== shown) setShown(kind);
  return (
    <Sheet isOpen={isOpen && kind !== null} onClose={onClose} title={toTitle(shown, rest.count, rest.name)}>
      {kind === null ? null : <BulkForm key={kind} kind={kind} onClose={onClose} {...rest} />}
    </Sheet>
  );
}

/** "Suspend 12 affiliates", or "Suspend Ada Lindqvist". */
function useTitle(): (kind: BulkKind, count: number, name: string | undefined) => string {
  const { t } = useTranslation('affiliate-table');
  const { language } = useFigures();
  return (kind, count, name) =>
    name === undefined || count !== 1
      ? t(`bulk.title.${kind}`, { count, formatted: formatCount(count, language) })
      : t(`bulk.titleOf.${kind}`, { name: isolate(name) });
}

function BulkForm({ kind, onClose, selection, filter, count, name, onDone }: Omit<Props, 'isOpen'> & { kind: BulkKind }) {
  const { t } = useTranslation('affiliate-table');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const toTitle = useTitle();
  const [values, setValues] = useState<BulkValues>(emptyValues);
  const settled = useDeferredValue(values);
  const body = toBody(kind, settled, { selection, filter });
  const preview = useRead(
    'affiliates.bulk',
    { path: { programId }, body: { ...(body ?? noChange), dryRun: true } },
    { enabled: body !== null },
  );
  const change = useAction('affiliates.bulk', { invalidates: affected });
  const undo = useUndo();
  const apply = () => {
    if (body === null) return;
    change.mutate(
      { path: { programId }, body: { ...body, expectedCount: count } },
      {
        onSuccess: ({ changed, changeSetId, backgroundTaskId }) => {
          const text = t(`bulk.done.${kind}`, { count: changed, formatted: formatCount(changed, language) });
          if (backgroundTaskId === null) showToast(text, changeSetId === null ? {} : { tone: 'success', onUndo: () => undo(changeSetId) });
          onDone?.(backgroundTaskId);
          onClose();
        },
      },
    );
  };
  const effect = preview.data;
  const changed = effect?.changed ?? 0;
  return (
    <Stack gap={20}>
      <BulkFields kind={kind} values={values} onChange={setValues} />
      {change.error ? <Notice tone="error" title={change.error.message} /> : null}
      {preview.error ? <Problem error={preview.error} what={t('bulk.what')} onRetry={() => void preview.refetch()} /> : null}
      {body === null ? null : effect === undefined ? <SkeletonText lines={5} /> : <BulkPreview effect={effect} />}
      <div>
        <Button kind="primary" isBusy={change.isPending} disabled={body === null || changed === 0} onClick={apply}>
          {toTitle(kind, changed || count, name)}
        </Button>
      </div>
    </Stack>
  );
}

/** Never sent: the preview is off while a value is missing. */
const noChange: BulkBody = { ids: [], change: { kind: 'approve' } };
