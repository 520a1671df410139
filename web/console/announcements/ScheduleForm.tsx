// When an announcement is sent: a day and an hour in the time zone of the program.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { dayOf } from '../../ui/figures/days.ts';
import { DateInput } from '../../ui/form/dates.tsx';
import { FieldRow, Form, useForm } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { type Announcement, affected, hourOf, toInstant } from './announcement-values.ts';

const hours = Array.from({ length: 24 }, (_, hour) => `${hour}`);
const usualHour = '9';

export function ScheduleForm({ announcement: { id, sendAt }, onDone }: { announcement: Announcement; onDone: () => void }) {
  const { t, i18n } = useTranslation('announcements');
  const { id: programId, timezone } = useProgram();
  const form = useForm({
    sendAt: sendAt === null ? null : dayOf(sendAt, timezone),
    hour: sendAt === null ? usualHour : `${hourOf(sendAt, timezone)}`,
  });
  const send = useAction('announcements.send', { invalidates: affected });
  const submit = () => {
    const { sendAt: day, hour } = form.values;
    if (day === null) return form.setMissing(['sendAt']);
    send.mutate(
      { path: { programId, id }, body: { sendAt: toInstant(day, Number(hour), timezone) } },
      {
        onSuccess: () => {
          showToast(t('schedule.done'), { tone: 'success' });
          onDone();
        },
        onError: form.setProblem,
      },
    );
  };
  const nameOf = (hour: string) =>
    new Intl.DateTimeFormat(i18n.language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
      Date.UTC(2024, 0, 1, Number(hour)),
    );
  return (
    <Form
      form={form}
      onSubmit={submit}
      buttons={
        <>
          <Button onClick={onDone}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" icon="clock" isBusy={send.isPending}>
            {t('schedule.action')}
          </Button>
        </>
      }
    >
      <FieldRow>
        <DateInput {...form.field('sendAt')} label={t('schedule.day')} isRequired />
        <Select
          {...form.field('hour')}
          label={t('schedule.hour')}
          help={t('schedule.zone', { zone: timezone.replaceAll('_', ' ') })}
          options={hours.map((value) => ({ value, label: nameOf(value) }))}
        />
      </FieldRow>
    </Form>
  );
}
