// A running import: it continues when the tab is closed.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Read, useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { Problems } from './DryRun.tsx';
import styles from './import.module.css';

type Task = NonNullable<Read<'backgroundTasks.get'>['data']>;

const pollMs = 1000;

export function ImportProgress({ taskId }: { taskId: string }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const client = useQueryClient();
  const path = { programId, id: taskId };
  const first = useRead('backgroundTasks.get', { path });
  const isOpen = first.data === undefined || first.data.finishedAt === null;
  const read = useRead('backgroundTasks.get', { path }, { refreshMs: pollMs, enabled: isOpen, staleMs: 0 });
  useEffect(() => {
    if (isOpen) return;
    for (const id of ['affiliateTable.list', 'affiliates.list']) void client.invalidateQueries({ queryKey: [id] });
  }, [isOpen, client]);
  return (
    <Loaded read={read} what={t('import.title')} skeleton={<Skeleton shape="block" height={120} />}>
      {(task) => <Progress task={task} />}
    </Loaded>
  );
}

function Progress({ task }: { task: Task }) {
  const { t } = useTranslation('affiliate');
  const { language } = useFigures();
  const { id: programId } = useProgram();
  const cancel = useAction('backgroundTasks.cancel', { invalidates: ['backgroundTasks.get', 'backgroundTasks.list'] });
  const isOpen = task.finishedAt === null;
  const figures = { done: formatCount(task.done, language), total: formatCount(task.total, language) };
  return (
    <Stack gap={20}>
      <div className={styles.progress}>
        <div className={styles.progressLine}>
          <b>{t(isOpen ? 'import.running' : `import.${task.status === 'succeeded' ? 'finished' : 'stopped'}`)}</b>
          <span>{t('import.progress', figures)}</span>
        </div>
        <progress value={task.done} max={Math.max(1, task.total)} aria-label={t('import.title')} />
        {isOpen ? (
          <div className={styles.progressLine}>
            <span>{t('import.continues')}</span>
            <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate({ path: { programId, id: task.id } })}>
              {t('import.cancel')}
            </Button>
          </div>
        ) : null}
      </div>
      {task.error === null ? null : <Notice tone="error" icon="warning" title={task.error} />}
      {isOpen ? null : (
        <Notice
          icon="check"
          title={t('invite.outcome', {
            invited: task.counts.invited ?? 0,
            existed: task.counts.existed ?? 0,
            rejected: task.counts.rejected ?? 0,
          })}
        />
      )}
      <Problems problems={task.problems} />
    </Stack>
  );
}
