// One entry of the audit log: who, from where, and every changed field before and after.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from './audit-log.module.css';
import { type AuditEntry, fieldsOf } from './entry.ts';
import { Sentence, useNames } from './Sentence.tsx';

export type Narrow = (patch: { search?: string; actorId?: string }) => void;

type Props = {
  eventId: string | null;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  /** Shows the entries that have the same object, actor or action. */
  onNarrow: Narrow;
};

export function EventSheet({ eventId, onClose, onPrevious, onNext, onNarrow }: Props) {
  const { t } = useTranslation('audit');
  const { id: programId } = useProgram();
  const read = useRead('auditEntries.get', { path: { programId, id: eventId ?? '' } }, { enabled: eventId !== null });
  return (
    <Sheet isOpen={eventId !== null} onClose={onClose} title={t('entry')} width="wide" onPrevious={onPrevious} onNext={onNext}>
      <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={10} />}>
        {(event) => <EventContent event={event} onNarrow={onNarrow} />}
      </Loaded>
    </Sheet>
  );
}

function EventContent({ event, onNarrow }: { event: AuditEntry; onNarrow: Narrow }) {
  const { t } = useTranslation('audit');
  const names = useNames()(event);
  const { actor, network, requestId, action, subjectId, createdAt } = event;
  const rows = [
    { label: t('column.actor'), value: <bdi>{names.actor}</bdi> },
    { label: t('column.created'), value: <DateTime value={createdAt} as="exact" /> },
    { label: t('column.action'), value: <CopyButton value={action} isMono /> },
    { label: t('column.network'), value: network ?? t('noNetwork') },
    { label: t('actorId'), value: <CopyButton value={actor.id} isMono /> },
    { label: t('object'), value: <CopyButton value={subjectId} isMono /> },
    { label: t('requestId'), value: requestId === null ? '–' : <CopyButton value={requestId} isMono /> },
  ];
  return (
    <Stack gap={20}>
      <p className={styles.lede}>
        <Sentence entry={event} />
      </p>
      <Facts rows={rows} columns={2} />
      <div className={styles.narrow}>
        <Button size="small" icon="filter" onClick={() => onNarrow({ search: subjectId })}>
          {t('narrow.object')}
        </Button>
        <Button size="small" icon="filter" onClick={() => onNarrow({ actorId: actor.id })}>
          {t('narrow.actor')}
        </Button>
        <Button size="small" icon="filter" onClick={() => onNarrow({ search: action })}>
          {t('narrow.action')}
        </Button>
      </div>
      <Changes event={event} />
    </Stack>
  );
}

function Changes({ event }: { event: AuditEntry }) {
  const { t } = useTranslation('audit');
  const fields = fieldsOf(event);
  if (fields.length === 0) return <p className={styles.none}>{t('noFields')}</p>;
  return (
    <table className={styles.changes}>
      <caption className={styles.caption}>{t('changes')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('after')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td data-label={t('before')}>{toText(event.before?.[field])}</td>
            <td data-label={t('after')}>{toText(event.after?.[field])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Values as the API has them; objects as JSON. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.length === 0 ? '–' : value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
