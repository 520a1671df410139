// The programs that will be deleted: their owners can restore them until then.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import type { Me } from '../../session/me.ts';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { TestMark } from '../shell/ProgramSwitcher.tsx';
import styles from './programs.module.css';

type Deletion = Me['programDeletions'][number];

export function Deletions({ deletions }: { deletions: readonly Deletion[] }) {
  const { t } = useTranslation('programs');
  return (
    <Section title={t('deletions.title')} detail={t('deletions.detail')}>
      <ul className={styles.list}>
        {deletions.map((deletion) => (
          <DeletionItem key={deletion.id} deletion={deletion} />
        ))}
      </ul>
    </Section>
  );
}

function DeletionItem({ deletion: { id, name, mode, canCancel, deleteAfter } }: { deletion: Deletion }) {
  const { t } = useTranslation('programs');
  const cancel = useAction('programDeletions.cancel', { invalidates: ['appMe.get'] });
  const restore = () =>
    cancel.mutate(
      { path: { id } },
      {
        onSuccess: () => showToast(t('deletions.restored', { name })),
        onError: showProblem,
      },
    );
  return (
    <li className={styles.deletion}>
      <Avatar name={name} size={36} />
      <span className={styles.text}>
        <span className={styles.name}>
          <bdi>{name}</bdi> {mode === 'test' ? <TestMark /> : null}
        </span>
        <span className={styles.detail}>
          {t('deletions.until')} <DateTime value={deleteAfter} as="date" />
        </span>
      </span>
      {canCancel ? (
        <Button size="small" icon="undo" isBusy={cancel.isPending} aria-label={`${t('deletions.restore')}: ${name}`} onClick={restore}>
          {t('deletions.restore')}
        </Button>
      ) : (
        <span className={styles.detail}>{t('deletions.ownersOnly')}</span>
      )}
    </li>
  );
}
