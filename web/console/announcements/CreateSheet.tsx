// A new announcement. It is saved as a draft, so that nothing is sent before it was seen once more.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useForm } from '../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { AnnouncementForm, useFormLocale } from './AnnouncementForm.tsx';
import { affected, emptyAnnouncement, findMissing, toBody } from './announcement-values.ts';

const formId = 'create-announcement';

type Props = { isOpen: boolean; onClose: () => void; onCreated: (id: string) => void };

export function CreateSheet({ isOpen, onClose, onCreated }: Props) {
  const { t } = useTranslation('announcements');
  const { id: programId } = useProgram();
  const form = useForm(emptyAnnouncement);
  const [locale, setLocale] = useFormLocale();
  const create = useAction('announcements.create', { invalidates: affected });
  const close = () => {
    form.reset(emptyAnnouncement);
    onClose();
  };
  const submit = () => {
    const missing = findMissing(form.values, locale);
    if (missing.length > 0) return form.setMissing(missing);
    create.mutate(
      { path: { programId }, body: toBody(form.values) },
      {
        onSuccess: ({ id }) => {
          showToast(t('created'), { tone: 'success' });
          form.reset(emptyAnnouncement);
          onCreated(id);
        },
        onError: form.setProblem,
      },
    );
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('createTitle')}
      width="wide"
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={create.isPending}>
            {t('saveDraft')}
          </Button>
        </>
      }
    >
      <AnnouncementForm form={form} id={formId} onSubmit={submit} locale={locale} onLocale={setLocale} />
    </Sheet>
  );
}
