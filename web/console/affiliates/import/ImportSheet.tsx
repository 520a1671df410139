// Importing affiliates from a CSV file: columns are matched by name, a dry run says what would happen to each line, and the
// import itself runs in the background.
import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Switch } from '../../../ui/form/choices.tsx';
import { useProblemText } from '../../../ui/form/fault-text.ts';
import { Stack } from '../../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import { ErrorCard } from '../../../ui/states/problem.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { ColumnList, type Mapping } from './ColumnList.tsx';
import { DryRun } from './DryRun.tsx';
import { FileDrop } from './FileDrop.tsx';
import { ImportProgress } from './ImportProgress.tsx';

type File = { name: string; csv: string };
type Options = { columns: Mapping; autoApprove: boolean; sendInvite: boolean };

const initial: Options = { columns: {}, autoApprove: false, sendInvite: true };

export function ImportSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return isOpen ? <OpenSheet onClose={onClose} /> : null;
}

function OpenSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('affiliate');
  const { language } = useFigures();
  const state = useImport();
  const { checked, taskId } = state;
  const count = checked?.valid ?? 0;
  const buttons =
    taskId !== null ? (
      <Button kind="primary" onClick={onClose}>
        {t('import.close')}
      </Button>
    ) : (
      <>
        <CancelButton>{t('cancel')}</CancelButton>
        <Button kind="primary" icon="upload" disabled={count === 0 || state.isChecking} isBusy={state.isStarting} onClick={state.start}>
          {count === 0 ? t('import.submitNone') : t('import.submit', { count, formatted: formatCount(count, language) })}
        </Button>
      </>
    );
  return (
    <Sheet
      isOpen
      onClose={onClose}
      width="wide"
      title={t('import.title')}
      detail={t('import.lede')}
      hasChanges={state.file !== null && taskId === null}
      footer={buttons}
    >
      {taskId === null ? <Preparation state={state} /> : <ImportProgress taskId={taskId} />}
    </Sheet>
  );
}

type ImportState = ReturnType<typeof useImport>;

/** The file, how it is understood, and the import once it runs. */
function useImport() {
  const { id: programId } = useProgram();
  const [file, setFile] = useState<File | null>(null);
  const [options, setOptions] = useState(initial);
  const check = useAction('affiliates.import');
  const run = useAction('affiliates.import', { invalidates: ['backgroundTasks.list'] });
  const send = (chosen: File, given: Options) => check.mutate({ path: { programId }, body: { csv: chosen.csv, ...given, dryRun: true } });
  return {
    file,
    options,
    checked: check.data,
    error: check.error ?? run.error,
    isChecking: check.isPending,
    isStarting: run.isPending,
    taskId: run.data?.backgroundTaskId ?? null,
    open: (chosen: File) => {
      setFile(chosen);
      setOptions(initial);
      send(chosen, initial);
    },
    change: (changed: Partial<Options>) => {
      const next = { ...options, ...changed };
      setOptions(next);
      if (file) send(file, next);
    },
    start: () => {
      if (file) run.mutate({ path: { programId }, body: { csv: file.csv, ...options, dryRun: false } });
    },
  };
}

function Preparation({ state }: { state: ImportState }) {
  const { t } = useTranslation('affiliate');
  const problemText = useProblemText();
  const { file, options, checked, error, isChecking, change } = state;
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.currentTarget.files?.[0];
    if (chosen) state.open({ name: chosen.name, csv: await chosen.text() });
  };
  return (
    <Stack gap={20}>
      <FileDrop
        name={file?.name ?? null}
        help={t('import.chooseHelp')}
        onChange={(event) => void read(event)}
        onDrop={(name, csv) => state.open({ name, csv })}
      />
      {error ? <ErrorCard title={t('import.failed')} detail={problemText(error)} requestId={error.requestId} /> : null}
      {isChecking && !checked ? <Skeleton shape="block" height={220} /> : null}
      {checked ? (
        <>
          <DryRun checked={checked} />
          <ColumnList columns={checked.columns} mapping={options.columns} onChange={(columns) => change({ columns })} />
          <Switch
            label={t('import.sendInvite')}
            help={t('import.sendInviteHelp')}
            value={options.sendInvite}
            onChange={(sendInvite) => change({ sendInvite })}
          />
          <Switch
            label={t('invite.autoApprove')}
            help={t('invite.autoApproveHelp')}
            value={options.autoApprove}
            onChange={(autoApprove) => change({ autoApprove })}
          />
        </>
      ) : null}
    </Stack>
  );
}
