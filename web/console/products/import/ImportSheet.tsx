// Importing products from a CSV file: a dry run says what would happen to each row before anything is changed.
import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { saveFile } from '../../../states/download.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { useProblemText } from '../../../ui/form/fault-text.ts';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import { ErrorCard, Notice } from '../../../ui/states/problem.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { FileDrop } from '../../affiliates/import/FileDrop.tsx';
import { ImportRows } from './ImportRows.tsx';

const template =
  'externalId,name,priceCents,checkoutUrl,category,sku,imageUrl\r\ntea-1,Sleep tea,1490,https://shop.example/tea-1,Teas,TEA-1,\r\n';

export function ImportSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return isOpen ? <OpenSheet onClose={onClose} /> : null;
}

function OpenSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('products');
  const { language } = useFigures();
  const state = useImport();
  const { checked, done } = state;
  const count = checked ? checked.created + checked.updated : 0;
  const footer = done ? (
    <Button kind="primary" onClick={onClose}>
      {t('import.close')}
    </Button>
  ) : (
    <>
      <CancelButton>{t('cancel')}</CancelButton>
      <Button kind="primary" icon="upload" disabled={count === 0 || state.isChecking} isBusy={state.isRunning} onClick={state.run}>
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
      detail={t('import.detail')}
      hasChanges={state.file !== null && !done}
      footer={footer}
    >
      {done ? (
        <Stack gap={20}>
          <Notice icon="check" title={t('import.done', { created: done.created, updated: done.updated, invalid: done.invalid })} />
          <ImportRows result={done} />
        </Stack>
      ) : (
        <Preparation state={state} />
      )}
    </Sheet>
  );
}

type File = { name: string; csv: string };
type ImportState = ReturnType<typeof useImport>;

/** The file, what the dry run says about it, and the outcome of the import. */
function useImport() {
  const { id: programId } = useProgram();
  const [file, setFile] = useState<File | null>(null);
  const check = useAction('products.import');
  const run = useAction('products.import', { invalidates: ['productTable.list', 'products.list', 'products.get'] });
  const path = { programId };
  return {
    file,
    checked: check.data,
    done: run.data,
    error: check.error ?? run.error,
    isChecking: check.isPending,
    isRunning: run.isPending,
    open: (chosen: File) => {
      setFile(chosen);
      run.reset();
      check.mutate({ path, body: { csv: chosen.csv, dryRun: true } });
    },
    run: () => {
      if (file) run.mutate({ path, body: { csv: file.csv } });
    },
  };
}

function Preparation({ state }: { state: ImportState }) {
  const { t } = useTranslation('products');
  const problemText = useProblemText();
  const { file, checked, error, isChecking } = state;
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
      {file === null ? (
        <>
          <Text size="small">{t('import.columns')}</Text>
          <div>
            <Button
              size="small"
              icon="download"
              onClick={() => saveFile(new Blob([template], { type: 'text/csv' }), 'products-template.csv')}
            >
              {t('import.template')}
            </Button>
          </div>
        </>
      ) : null}
      {error ? <ErrorCard title={t('import.failed')} detail={problemText(error)} requestId={error.requestId} /> : null}
      {isChecking && !checked ? <Skeleton shape="block" height={220} /> : null}
      {checked && !error ? <ImportRows result={checked} /> : null}
    </Stack>
  );
}
