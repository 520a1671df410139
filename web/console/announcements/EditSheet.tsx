import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { StaleNotice } from '../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../states/edit/use-edit.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { AnnouncementForm, useFormLocale } from './AnnouncementForm.tsx';
import { type Announcement, type AnnouncementValues, affected, toBody, toValues } from './announcement-values.ts';

const formId = 'edit-announcement';

/** Changes an announcement that was not sent. */
export function EditSheet({ announcement, onClose }: { announcement: Announcement; onClose: () => void }) {
  const { t } = useTranslation('announcements');
  const { id: programId } = useProgram();
  const [locale, setLocale] = useFormLocale();
  const labels = useLabels();
  const path = { programId, id: announcement.id };
  const update = useAction('announcements.update', { invalidates: affected });
  const edit = useEdit({
    stored: announcement,
    toValues,
    load: () => call('announcements.get', { path }),
    save: ({ base, values }) => update.mutateAsync({ path, body: toBody(values), ifMatch: base.version }),
    onSaved: () => {
      showToast(t('saved'), { tone: 'success' });
      onClose();
    },
  });
  const { form, conflict, isBusy, submit } = edit;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('editTitle')}
      width="wide"
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={isBusy} disabled={conflict !== null}>
            {t('save')}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <StaleNotice edit={edit} toValues={toValues} labels={labels} />
        <AnnouncementForm form={form} id={formId} onSubmit={submit} locale={locale} onLocale={setLocale} />
      </Stack>
    </Sheet>
  );
}

function useLabels(): Record<keyof AnnouncementValues, string> {
  const { t } = useTranslation('announcements');
  const labelOf = (locale: 'en' | 'de', part: 'subject' | 'heading' | 'body') => `${t(`text.${part}`)} (${t(`locale.${locale}`)})`;
  return {
    'texts.en.subject': labelOf('en', 'subject'),
    'texts.en.heading': labelOf('en', 'heading'),
    'texts.en.body': labelOf('en', 'body'),
    'texts.de.subject': labelOf('de', 'subject'),
    'texts.de.heading': labelOf('de', 'heading'),
    'texts.de.body': labelOf('de', 'body'),
    statuses: t('audience.statuses'),
    groupIds: t('audience.groups'),
    locale: t('audience.language'),
  };
}
