// The state of a batch as a word, with its icon.
import { useTranslation } from 'react-i18next';
import type { IconName } from '../../../ui/icons.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';
import type { Batch } from './batch.ts';

const marks = {
  awaiting_approval: ['held', 'clock'],
  processing: ['paid', 'transit'],
  completed: ['paid', 'check'],
  partially_failed: ['reversed', 'warning'],
  failed: ['reversed', 'close'],
} as const satisfies Record<Batch['status'], readonly [Tone, IconName]>;

export const batchStatuses = Object.keys(marks) as Batch['status'][];

export function BatchStatus({ status }: { status: Batch['status'] }) {
  const { t } = useTranslation('payout-batch');
  const [tone, icon] = marks[status];
  return (
    <Status tone={tone} icon={icon}>
      {t(`status.${status}`)}
    </Status>
  );
}
