// Which clicks count: limits per visitor, what is done with robots and duplicates, and blocked sources.
import { useTranslation } from 'react-i18next';
import type { Input, Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import { FieldRow, type FormState } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { toEntries } from '../form/changed-fields.ts';
import { FieldCard, SettingsForm, SettingsSkeleton } from '../form/SettingsForm.tsx';
import { useSettingsForm } from '../form/use-settings-form.ts';
import { RejectedClicks } from './RejectedClicks.tsx';

type Stored = Result<'clickSettings.get'>;
type Update = NonNullable<Input<'clickSettings.update'>['body']>;
const numbers = ['clicksPerIpPerMinute', 'clicksPerIpPerHour', 'dedupeSeconds'] as const;
const lists = ['blockedIpRanges', 'blockedReferrers', 'blockedCountries'] as const;
const kinds = ['bots', 'prefetches', 'embedded', 'duplicates', 'blocked'] as const;
const actions = ['ignore', 'record_flagged', 'hold'] as const;

type Values = Pick<Stored, (typeof kinds)[number]> &
  Record<(typeof numbers)[number], number | null> &
  Record<(typeof lists)[number], string>;
type Part = { form: FormState<Values> };

export function Screen() {
  const { t } = useTranslation('settings');
  const { id: programId } = useProgram();
  const read = useRead('clickSettings.get', { path: { programId } });
  return (
    <Page title={t('clicksTitle')} lede={t('clicks.lede')} width="reading">
      <Stack gap={20}>
        <Loaded read={read} what={t('what')} skeleton={<SettingsSkeleton />}>
          {(stored) => <Settings stored={stored} />}
        </Loaded>
        <RejectedClicks />
      </Stack>
    </Page>
  );
}

function Settings({ stored }: { stored: Stored }) {
  const { t } = useTranslation('settings');
  const { id: programId } = useProgram();
  const update = useAction('clickSettings.update', { invalidates: ['clickSettings.get'] });
  const { form, readChanges, callbacks } = useSettingsForm<Stored, Values, Update>({
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
      <Limits form={form} />
      <Kinds form={form} />
      <Blocked form={form} />
    </SettingsForm>
  );
}

function Limits({ form }: Part) {
  const { t } = useTranslation('settings');
  return (
    <FieldCard title={t('clicks.limits')}>
      <FieldRow>
        <WholeNumberInput
          {...form.field('clicksPerIpPerMinute')}
          label={t('clicks.perMinute')}
          help={t('clicks.noLimit')}
          unit={t('unit.clicks')}
        />
        <WholeNumberInput
          {...form.field('clicksPerIpPerHour')}
          label={t('clicks.perHour')}
          help={t('clicks.noLimit')}
          unit={t('unit.clicks')}
        />
      </FieldRow>
      <WholeNumberInput
        {...form.field('dedupeSeconds')}
        label={t('clicks.dedupe')}
        help={t('clicks.dedupeHelp')}
        unit={t('unit.seconds')}
      />
    </FieldCard>
  );
}

function Kinds({ form }: Part) {
  const { t } = useTranslation('settings');
  return (
    <FieldCard title={t('clicks.kinds')}>
      <Text size="small">{t('clicks.kindsHelp')}</Text>
      {kinds.map((kind) => (
        <Select
          key={kind}
          {...form.field(kind)}
          label={t(`clicks.kind.${kind}`)}
          help={t(`clicks.kindHelp.${kind}`)}
          options={actions.map((value) => ({ value, label: t(`clicks.actions.${value}`) }))}
        />
      ))}
    </FieldCard>
  );
}

function Blocked({ form }: Part) {
  const { t } = useTranslation('settings');
  return (
    <FieldCard title={t('clicks.blocked')}>
      {lists.map((list) => (
        <TextArea key={list} {...form.field(list)} label={t(`clicks.${list}`)} help={t(`clicks.${list}Help`)} rows={2} />
      ))}
    </FieldCard>
  );
}

function toValues({ blockedIpRanges, blockedReferrers, blockedCountries, ...others }: Stored): Values {
  return {
    ...others,
    blockedIpRanges: blockedIpRanges.join('\n'),
    blockedReferrers: blockedReferrers.join('\n'),
    blockedCountries: blockedCountries.join('\n'),
  };
}

/** An empty number is sent as it is: the server says which fields need one. */
function toUpdate({ blockedIpRanges, blockedReferrers, blockedCountries, ...others }: Values): Update {
  return {
    ...(others as Pick<Stored, (typeof kinds)[number] | (typeof numbers)[number]>),
    blockedIpRanges: toEntries(blockedIpRanges),
    blockedReferrers: toEntries(blockedReferrers),
    blockedCountries: toEntries(blockedCountries),
  };
}
