// What can be done with a whole batch: download its payment file, mark it as paid, cancel what was not sent.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { useInvalidate } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { download } from '../../../states/download.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Menu } from '../../../ui/overlay/menu.tsx';
import { type Batch, countOf, isPaidManually } from './batch.ts';
import { CancelSheet } from './CancelSheet.tsx';
import { MarkBatchSheet } from './MarkBatchSheet.tsx';

const formats = ['generic_csv', 'paypal_csv', 'wise_csv', 'sepa'] as const;

export function BatchActions({ batch }: { batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const { can } = useProgram();
  const [open, setOpen] = useState<'mark' | 'cancel' | null>(null);
  const isAwaiting = batch.status === 'awaiting_approval';
  const isManual = isPaidManually(batch) && !isAwaiting && countOf(batch, 'queued', 'sent') > 0;
  const close = () => setOpen(null);
  return (
    <>
      <JournalButton batch={batch} />
      {isManual && can('payouts.prepare') ? <FileMenu batch={batch} /> : null}
      {can('payouts.prepare') && !isAwaiting && countOf(batch, 'queued') > 0 ? (
        <Button icon="close" onClick={() => setOpen('cancel')}>
          {t('cancel.open')}
        </Button>
      ) : null}
      {isManual && can('payouts.approve') ? (
        <Button kind="primary" icon="check" onClick={() => setOpen('mark')}>
          {t('mark.open')}
        </Button>
      ) : null}
      <CancelSheet batch={batch} isRejection={false} isOpen={open === 'cancel'} onClose={close} />
      <MarkBatchSheet batch={batch} isOpen={open === 'mark'} onClose={close} />
    </>
  );
}

/** Downloads the ledger entries of the batch, for the accountant. */
function JournalButton({ batch: { id, createdAt } }: { batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const name = `journal-${createdAt.slice(0, 10)}-${id.slice(-8)}.csv`;
  const save = () => void download(name, () => call('ledger.journal', { path: { programId }, query: { batchId: id } }));
  return (
    <Button icon="download" onClick={save}>
      {t('journal')}
    </Button>
  );
}

/** Downloads a payment file. The payouts in it are in transit from then on; the same file can be downloaded again. */
function FileMenu({ batch: { id, createdAt } }: { batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const invalidate = useInvalidate();
  const save = (format: (typeof formats)[number]) => {
    const name = `payouts-${createdAt.slice(0, 10)}-${id.slice(-8)}.${format === 'sepa' ? 'xml' : 'csv'}`;
    const load = () => call('payoutBatches.export', { path: { programId, id }, body: { format } }, { idempotencyKey: newIdempotencyKey() });
    void download(name, load).then(() => invalidate(['payoutBatches.get', 'payouts.list']));
  };
  return (
    <Menu
      align="end"
      target={
        <Button icon="download" iconAfter="chevronDown">
          {t('file.open')}
        </Button>
      }
      items={formats.map((format) => ({ label: t(`file.${format}`), onSelect: () => save(format) }))}
    />
  );
}
