// The progress of a background task, with its end: the list below is read again when it is over.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import styles from '../affiliates.module.css';

export function TaskBanner({ taskId, onEnd }: { taskId: string; onEnd: () => void }) {
  const { t } = useTranslation('affiliate-table');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const client = useQueryClient();
  const task = useRead('backgroundTasks.get', { path: { programId, id: taskId } }, { refreshMs: 1000, staleMs: 0 }).data;
  const cancel = useAction('backgroundTasks.cancel', { invalidates: ['backgroundTasks.get'] });
  const isOver = task !== undefined && task.finishedAt !== null;
  useEffect(() => {
    if (!isOver) return;
    void client.invalidateQueries({ queryKey: ['affiliateTable.list'] });
    showToast(t(`task.${task.status === 'succeeded' ? 'succeeded' : task.status === 'cancelled' ? 'cancelled' : 'failed'}`), {
      tone: task.status === 'failed' ? 'error' : 'success',
    });
    onEnd();
  }, [isOver, task?.status, client, onEnd, t]);
  if (!task) return null;
  const progress = { done: formatCount(task.done, language), total: formatCount(task.total, language) };
  return (
    <div className={styles.task} role="status">
      <span>{t('task.running', progress)}</span>
      <progress value={task.done} max={task.total} aria-label={t('task.running', progress)} />
      <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate({ path: { programId, id: taskId } })}>
        {t('task.cancel')}
      </Button>
    </div>
  );
}
