// The name, website, time zone and contact address of the program.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import type { FieldTexts } from '../../../states/edit/StaleNotice.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldRow, type FormState } from '../../../ui/form/form.tsx';
import { TimezoneSelect } from '../../../ui/form/timezone.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { PendingChanges } from '../form/PendingChanges.tsx';
import { ProgramScreen } from '../form/ProgramScreen.tsx';
import { FieldCard, SettingsForm } from '../form/SettingsForm.tsx';
import { type Program, useProgramForm } from '../form/use-program-form.ts';

type Values = { name: string; websiteUrl: string; timezone: string; contactEmail: string };

export function Screen() {
  const { t } = useTranslation('settings');
  return (
    <ProgramScreen title={t('programTitle')} lede={t('program.lede')}>
      {(program) => <Settings program={program} />}
    </ProgramScreen>
  );
}

function Settings({ program }: { program: Program }) {
  const texts = useFieldTexts();
  const { form, save, isBusy, stale } = useProgramForm(program, { toValues, toUpdate, texts });
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={isBusy} stale={stale}>
      <PendingChanges program={program} fields={['contactEmail']} />
      <Fields form={form} isGuarded={program.payoutApprovalCents !== null && program.contactEmail !== null} />
      <Fixed program={program} />
    </SettingsForm>
  );
}

function Fields({ form, isGuarded }: { form: FormState<Values>; isGuarded: boolean }) {
  const { t } = useTranslation('settings');
  return (
    <FieldCard title={t('program.card')}>
      <FieldRow>
        <TextInput {...form.field('name')} label={t('program.name')} help={t('program.nameHelp')} maxLength={100} isRequired />
        <TextInput {...form.field('websiteUrl')} label={t('program.website')} help={t('program.websiteHelp')} type="url" inputMode="url" />
      </FieldRow>
      <FieldRow>
        <TimezoneSelect {...form.field('timezone')} label={t('program.timezone')} help={t('program.timezoneHelp')} />
        <TextInput
          {...form.field('contactEmail')}
          label={t('program.contact')}
          help={t(isGuarded ? 'program.contactGuarded' : 'program.contactHelp')}
          type="email"
          inputMode="email"
        />
      </FieldRow>
    </FieldCard>
  );
}

/** What can't be changed once amounts and links exist. */
function Fixed({ program: { currency, slug, id, mode } }: { program: Program }) {
  const { t } = useTranslation('settings');
  const rows = [
    { label: t('program.mode'), value: <Mode mode={mode} /> },
    { label: t('program.currency'), value: currency },
    { label: t('program.slug'), value: <CopyButton value={slug} isMono /> },
    { label: t('program.id'), value: <CopyButton value={id} isMono /> },
  ];
  return (
    <Card title={t('program.fixed')} detail={t('program.fixedDetail')}>
      <Facts rows={rows} columns={2} />
    </Card>
  );
}

/** A test program can go live from here. */
function Mode({ mode }: Pick<Program, 'mode'>) {
  const { t } = useTranslation('settings');
  const { href } = useProgram();
  if (mode === 'live') return t('program.modes.live');
  return (
    <>
      {t('program.modes.test')} · <Link href={href('?sheet=go-live')}>{t('program.goLive')}</Link>
    </>
  );
}

/** The names of fields and values in a conflict. */
function useFieldTexts(): FieldTexts<Program, Values> {
  const { t } = useTranslation('settings');
  return {
    labels: {
      name: t('program.name'),
      websiteUrl: t('program.website'),
      timezone: t('program.timezone'),
      contactEmail: t('program.contact'),
    },
  };
}

function toValues({ name, websiteUrl, timezone, contactEmail }: Program): Values {
  return { name, websiteUrl: websiteUrl ?? '', timezone, contactEmail: contactEmail ?? '' };
}

function toUpdate({ name, websiteUrl, timezone, contactEmail }: Values) {
  return { name, websiteUrl: websiteUrl.trim() || null, timezone, contactEmail: contactEmail.trim() || null };
}
