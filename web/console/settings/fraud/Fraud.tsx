// What happens to orders that look suspicious, and what that would have meant for the orders of the last 30 days.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input, Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import type { FormState } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { useSettled } from '../../../ui/form/use-settled.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { FieldCard, SettingsForm, SettingsSkeleton } from '../form/SettingsForm.tsx';
import { useSettingsForm } from '../form/use-settings-form.ts';
import { CheckEffect } from './CheckEffect.tsx';

type Stored = Result<'fraudSettings.get'>;
type Values = Omit<Stored, 'fastOrderSeconds'> & { fastOrderSeconds: number | null };
type Update = NonNullable<Input<'fraudSettings.update'>['body']>;

const checks = [
  'selfReferral',
  'sharedDevice',
  'fastOrder',
  'paidSearch',
  'disposableMailbox',
  'couponWithoutClick',
  'checkoutHijack',
] as const;
const actions = ['hold', 'flag', 'off'] as const;

const settleMs = 400;

export function Screen() {
  const { t } = useTranslation('settings');
  const { id: programId } = useProgram();
  const read = useRead('fraudSettings.get', { path: { programId } });
  return (
    <Page title={t('fraudTitle')} lede={t('fraud.lede')} width="reading">
      <Loaded read={read} what={t('what')} skeleton={<SettingsSkeleton />}>
        {(stored) => <Settings stored={stored} />}
      </Loaded>
    </Page>
  );
}

function Settings({ stored }: { stored: Stored }) {
  const { t } = useTranslation('settings');
  const { id: programId } = useProgram();
  const update = useAction('fraudSettings.update', { invalidates: ['fraudSettings.get'] });
  const { form, readChanges, callbacks } = useSettingsForm<Stored, Values, Update>({
    stored,
    toValues: (given) => given,
    toUpdate: (values) => values as Stored,
    onSaved: () => showToast(t('saved')),
  });
  const save = () => {
    if (form.hasChanges) update.mutate({ path: { programId }, body: readChanges() }, callbacks);
  };
  const { read, isOutdated } = useEffectOf(form.values, stored);
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={update.isPending}>
      {checks.map((check) => (
        <Check key={check} check={check} form={form}>
          <CheckEffect check={check} read={read} isOutdated={isOutdated} />
        </Check>
      ))}
    </SettingsForm>
  );
}

/** The effect of what is in the form, once it has not changed for a moment. An empty number counts as the stored one. */
function useEffectOf({ fastOrderSeconds, ...actions }: Values, stored: Stored) {
  const { id: programId } = useProgram();
  const text = JSON.stringify(Object.assign({ fastOrderSeconds: fastOrderSeconds ?? stored.fastOrderSeconds }, actions));
  const settled = useSettled(text, settleMs);
  const read = useRead('fraudSettings.effect', { path: { programId }, body: JSON.parse(settled) as Update }, { staleMs: 60_000 });
  return { read, isOutdated: settled !== text };
}

type CheckProps = { check: (typeof checks)[number]; form: FormState<Values>; children: ReactNode };

function Check({ check, form, children }: CheckProps) {
  const { t } = useTranslation('settings');
  const field = form.field(check);
  return (
    <FieldCard title={t(`fraud.${check}`)}>
      <Select
        {...field}
        label={t('fraud.action', { check: t(`fraud.${check}`) })}
        isLabelHidden
        help={t(`fraud.${check}Help`)}
        options={actions.map((value) => ({ value, label: t(`fraud.actions.${value}`) }))}
      />
      {check === 'fastOrder' && field.value !== 'off' ? (
        <WholeNumberInput
          {...form.field('fastOrderSeconds')}
          label={t('fraud.seconds')}
          help={t('fraud.secondsHelp')}
          unit={t('unit.seconds')}
        />
      ) : null}
      {children}
    </FieldCard>
  );
}
