// One announcement: its recipients, what it looks like, what became of its emails, and what can be done with it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useGroups } from '../affiliates/use-groups.ts';
import { Preview } from '../settings/emails/Preview.tsx';
import { Actions } from './Actions.tsx';
import { RecipientCount, useFormLocale } from './AnnouncementForm.tsx';
import { type Announcement, localeWithText, noText } from './announcement-values.ts';
import { EditSheet } from './EditSheet.tsx';
import { Results } from './Results.tsx';
import { ScheduleForm } from './ScheduleForm.tsx';
import { AnnouncementStatus, AnnouncementTime, useSubject } from './use-columns.tsx';

const refreshMs = 5_000;

type Mode = 'show' | 'edit' | 'schedule';

export function AnnouncementSheet({ isOpen, id, onClose }: { isOpen: boolean; id: string; onClose: () => void }) {
  const { t } = useTranslation('announcements');
  const { id: programId, href } = useProgram();
  const [mode, setMode] = useState<Mode>('show');
  const subjectOf = useSubject();
  const read = useRead('announcements.get', { path: { programId, id } }, { refreshMs, enabled: isOpen });
  const stop = () => setMode('show');
  if (mode === 'edit' && read.data) return <EditSheet announcement={read.data} onClose={stop} />;
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={read.data ? subjectOf(read.data) : t('whatOne')} width="wide">
      <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={8} />}>
        {(announcement) =>
          mode === 'schedule' ? (
            <ScheduleForm announcement={announcement} onDone={stop} />
          ) : (
            <Stack gap={24}>
              <Actions announcement={announcement} onMode={setMode} onDeleted={onClose} />
              <Details announcement={announcement} />
              {announcement.startedAt === null ? null : (
                <>
                  <Results results={announcement.results} />
                  <Text size="small">
                    <Link href={href('settings/mailbox?kind=announcement')}>{t('mailbox')}</Link>
                  </Text>
                </>
              )}
              <Shown announcement={announcement} />
            </Stack>
          )
        }
      </Loaded>
    </Sheet>
  );
}

function Details({ announcement }: { announcement: Announcement }) {
  const { t } = useTranslation('announcements');
  const groups = useGroups().data?.groups ?? [];
  const { audience, status, startedAt } = announcement;
  const nameOf = (id: string) => groups.find((group) => group.id === id)?.name ?? id;
  const rows = [
    { label: t('column.status'), value: <AnnouncementStatus status={status} /> },
    { label: t('column.time'), value: <AnnouncementTime announcement={announcement} /> },
    { label: t('audience.statuses'), value: audience.statuses.map((one) => t(`recipient.${one}`)).join(', ') },
    {
      label: t('audience.groups'),
      value: audience.groupIds.length === 0 ? t('audience.allGroups') : audience.groupIds.map(nameOf).join(', '),
    },
    { label: t('audience.language'), value: audience.locale === null ? t('audience.allLanguages') : t(`locale.${audience.locale}`) },
  ];
  return (
    <Stack gap={12}>
      <Facts rows={rows} />
      {startedAt === null ? <RecipientCount audience={audience} /> : null}
    </Stack>
  );
}

/** The email in the languages that it has a text in. */
function Shown({ announcement: { texts } }: { announcement: Announcement }) {
  const { t } = useTranslation('announcements');
  const [chosen, setLocale] = useFormLocale();
  const locale = localeWithText(texts, chosen);
  const onLocale = (next: 'en' | 'de') => (texts[next] === null ? undefined : setLocale(next));
  const isMissing = texts.en === null || texts.de === null;
  return (
    <>
      {isMissing ? <Text tone="ink-2">{t('text.only', { language: t(`locale.${locale}`) })}</Text> : null}
      <Preview email="announcement" locale={locale} onLocale={onLocale} draft={texts[locale] ?? noText} version={JSON.stringify(texts)} />
    </>
  );
}
