// Sends the events of some days again, for a receiver that lost them.
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { addDays, dayOf, startOfDay } from '../../../ui/figures/days.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Checkbox } from '../../../ui/form/choices.tsx';
import { DateRangeInput } from '../../../ui/form/dates.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';

type Values = { createdFrom: string | null; createdTo: string | null; isFailedOnly: boolean };

export function Replay({ webhookId, onDone }: { webhookId: string; onDone: () => void }) {
  const { t } = useTranslation('webhooks');
  const { id: programId } = useProgram();
  const { language, timezone, now } = useFigures();
  const today = dayOf(now, timezone);
  const form = useForm<Values>({ createdFrom: addDays(today, -1), createdTo: today, isFailedOnly: true });
  const replay = useAction('webhooks.replay', { invalidates: ['webhookDeliveries.list', 'webhooks.list'] });
  const { createdFrom: from, createdTo: to, isFailedOnly } = form.values;
  const submit = async () => {
    if (from === null) return form.setMissing(['createdFrom']);
    const createdFrom = startOfDay(from, timezone);
    // Both days are included; the API excludes the end.
    const createdTo = to === null ? undefined : startOfDay(addDays(to, 1), timezone);
    try {
      const body = { createdFrom, createdTo, isFailedOnly };
      const { requestedCount: count } = await replay.mutateAsync({ path: { programId, id: webhookId }, body });
      showToast(t('replay.done', { count, formatted: formatCount(count, language) }));
      onDone();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      form.setProblem({ message: error.message, details: error.details ?? [] });
    }
  };
  const buttons = (
    <>
      <Button kind="primary" type="submit" icon="refresh" isBusy={replay.isPending}>
        {t('replay.send')}
      </Button>
      <Button onClick={onDone}>{t('replay.cancel')}</Button>
    </>
  );
  return (
    <Section title={t('replay.title')} detail={t('replay.text')}>
      <Form form={form} onSubmit={() => void submit()} buttons={buttons}>
        <DateRangeInput
          fromLabel={t('replay.from')}
          toLabel={t('replay.to')}
          value={{ from, to }}
          onChange={(range) => form.setValues({ createdFrom: range.from, createdTo: range.to })}
          error={form.errors.createdFrom ?? form.errors.createdTo}
        />
        <Checkbox {...form.field('isFailedOnly')} label={t('replay.failedOnly')} help={t('replay.failedOnlyHelp')} />
      </Form>
    </Section>
  );
}
