// When payout batches are prepared, and what the next one would contain.
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDay, nameOfZone } from '../../../ui/figures/dates.ts';
import { formatMoney } from '../../../ui/figures/format.ts';
import { Switch } from '../../../ui/form/choices.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import { FieldRow, type FormState } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { NextRun } from '../../payouts/schedule/NextRun.tsx';
import { FieldCard, SettingsForm, SettingsSkeleton } from '../form/SettingsForm.tsx';
import { useSettingsForm } from '../form/use-settings-form.ts';
import { days, frequencies, hours, type Schedule, shifts, toUpdate, toValues, type Update, type Values } from './schedule-values.ts';

export function Screen() {
  const { t } = useTranslation('payout-schedule');
  const { id: programId } = useProgram();
  const read = useRead('payoutSchedule.get', { path: { programId } });
  return (
    <Page title={t('title')} lede={t('lede')} width="reading">
      <Loaded read={read} what={t('what')} skeleton={<SettingsSkeleton />}>
        {(stored) => <Settings stored={stored} />}
      </Loaded>
    </Page>
  );
}

function Settings({ stored }: { stored: Schedule }) {
  const { t } = useTranslation('payout-schedule');
  const { id: programId } = useProgram();
  const update = useAction('payoutSchedule.update', { invalidates: ['payoutSchedule.get'] });
  const { form, readChanges, callbacks } = useSettingsForm<Schedule, Values, Update>({
    stored,
    toValues,
    toUpdate,
    onSaved: () => showToast(t('saved')),
  });
  const save = () => {
    if (form.hasChanges) update.mutate({ path: { programId }, body: readChanges() }, callbacks);
  };
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={update.isPending}>
      <Card title={t('next.title')}>
        <Stack gap={12}>
          <NextRun schedule={stored} />
          <LastRun last={stored.last} />
        </Stack>
      </Card>
      <Paydays form={form} timezone={stored.timezone} />
      <Workdays form={form} />
      <Limit schedule={stored} />
    </SettingsForm>
  );
}

function LastRun({ last }: Pick<Schedule, 'last'>) {
  const { t } = useTranslation('payout-schedule');
  const { href } = useProgram();
  const { language, now } = useFigures();
  if (last === null) return null;
  return (
    <Text size="small">
      {t(`last.${last.outcome}`, { day: formatDay(last.payOn, language, now) })}{' '}
      {last.batchId === null ? null : <Link href={href(`payouts/batches/${last.batchId}`)}>{t('last.open')}</Link>}
    </Text>
  );
}

function Paydays({ form, timezone }: { form: FormState<Values>; timezone: string }) {
  const { t, i18n } = useTranslation('payout-schedule');
  const frequency = form.field('frequency');
  return (
    <FieldCard title={t('paydays')}>
      <Switch {...form.field('isActive')} label={t('active')} help={t('activeHelp')} />
      <FieldRow>
        <Select {...frequency} label={t('frequency')} options={frequencies.map((value) => ({ value, label: t(`frequencies.${value}`) }))} />
        {frequency.value === 'monthly' ? (
          <WholeNumberInput {...form.field('dayOfMonth')} label={t('dayOfMonth')} help={t('dayOfMonthHelp')} />
        ) : (
          <Select
            {...form.field('dayOfWeek')}
            label={t('dayOfWeek')}
            options={days.map((value) => ({ value, label: nameOfWeekday(Number(value), i18n.language) }))}
          />
        )}
      </FieldRow>
      <Select
        {...form.field('hour')}
        label={t('hour')}
        help={t('hourHelp', { zone: nameOfZone(timezone) })}
        options={hours.map((value) => ({ value, label: nameOfHour(Number(value), i18n.language) }))}
      />
    </FieldCard>
  );
}

function Workdays({ form }: { form: FormState<Values> }) {
  const { t } = useTranslation('payout-schedule');
  return (
    <FieldCard title={t('workdays')}>
      <Select {...form.field('shift')} label={t('shift')} options={shifts.map((value) => ({ value, label: t(`shifts.${value}`) }))} />
      <TextArea {...form.field('holidays')} label={t('holidays')} help={t('holidaysHelp')} rows={3} />
    </FieldCard>
  );
}

/** What two people allowed the schedule to send. It is changed with the other settings of payouts. */
function Limit({ schedule: { limitCents, currency } }: { schedule: Schedule }) {
  const { t } = useTranslation('payout-schedule');
  const { can, href } = useProgram();
  const { language } = useFigures();
  const text = limitCents === null ? t('limit.none') : t('limit.text', { amount: formatMoney(limitCents, currency, language) });
  return (
    <Card title={t('limit.title')}>
      <Text>
        {text} {can('settings.write') ? <Link href={href('settings/payments')}>{t('limit.change')}</Link> : null}
      </Text>
    </Card>
  );
}

/** 1 is Monday; 1 January 2024 was one. */
function nameOfWeekday(day: number, language: string): string {
  return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, day)));
}

function nameOfHour(hour: number, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, 1, hour)),
  );
}
