// The columns of the table of announcements.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../session/program.ts';
import { Count } from '../../ui/figures/count.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Status, type Tone } from '../../ui/marks/status.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column } from '../../ui/table/table-types.ts';
import { statuses } from './announcement-table.ts';
import { type Announcement, localeWithText } from './announcement-values.ts';

const marks: Record<Announcement['status'], [Tone, IconName]> = {
  draft: ['neutral', 'edit'],
  scheduled: ['pending', 'clock'],
  sending: ['pending', 'transit'],
  sent: ['approved', 'check'],
  cancelled: ['neutral', 'close'],
};

export function AnnouncementStatus({ status }: Pick<Announcement, 'status'>) {
  const { t } = useTranslation('announcements');
  const [tone, icon] = marks[status];
  return (
    <Status tone={tone} icon={icon}>
      {t(`status.${status}`)}
    </Status>
  );
}

/** The subject in the language of the user, if there is one, with the name of the program. */
export function useSubject(): (announcement: Pick<Announcement, 'texts'>) => string {
  const { i18n } = useTranslation('announcements');
  const { name } = useProgram();
  const own = i18n.language === 'de' ? 'de' : 'en';
  return ({ texts }) => (texts[localeWithText(texts, own)]?.subject ?? '').replaceAll('{program}', name);
}

const figure = { align: 'end', width: 110 } as const;

export function useColumns(): Column<Announcement>[] {
  const { t } = useTranslation('announcements');
  const subjectOf = useSubject();
  return [
    { id: 'subject', header: t('column.subject'), width: 300, cell: subjectOf },
    { id: 'status', header: t('column.status'), width: 140, cell: (row) => <AnnouncementStatus status={row.status} /> },
    { ...figure, id: 'sent', header: t('result.sent'), cell: ({ results }) => <Count value={results.sent} /> },
    { ...figure, id: 'queued', header: t('result.queued'), narrow: { rank: 2 }, cell: ({ results }) => <Count value={results.queued} /> },
    {
      ...figure,
      id: 'optedOut',
      header: t('result.optedOut'),
      width: 120,
      narrow: { rank: 3 },
      cell: ({ results }) => <Count value={results.optedOut} />,
    },
    { ...figure, id: 'failed', header: t('result.failed'), narrow: { rank: 4 }, cell: ({ results }) => <Count value={results.failed} /> },
    { id: 'time', header: t('column.time'), width: 160, narrow: { rank: 1 }, cell: (row) => <AnnouncementTime announcement={row} /> },
  ];
}

/** When it is or was sent. */
export function AnnouncementTime({ announcement: { startedAt, sendAt } }: { announcement: Announcement }) {
  const time = startedAt ?? sendAt;
  return time === null ? '–' : <DateTime value={time} as="exact" />;
}

export function useFilterDefinitions() {
  const { t } = useTranslation('announcements');
  const options = statuses.map((value) => ({ value, label: t(`status.${value}`) }));
  return [{ id: 'status' as const, kind: 'options' as const, label: t('column.status'), options }];
}

export function AnnouncementPhoneRow({ row }: { row: Announcement }) {
  const { t } = useTranslation('announcements');
  const subjectOf = useSubject();
  return (
    <PhoneRow
      title={subjectOf(row)}
      state={<AnnouncementStatus status={row.status} />}
      detail={<AnnouncementTime announcement={row} />}
      amount={row.startedAt === null ? undefined : t('sentCount', { count: row.results.sent })}
    />
  );
}
