// Editing an affiliate: profile, group and upline, and their own rate with its unit.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import type { RequestError } from '../../../api/errors.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { fullName } from '../../../ui/figures/full-name.ts';
import { MoneyInput, RateInput } from '../../../ui/form/amounts.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldRow, Form, type FormState, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { AffiliateSelect } from '../AffiliateSelect.tsx';
import { useUplineHelp } from '../use-upline-help.ts';
import styles from './affiliate.module.css';
import type { Details } from './details.ts';
import { type EditValues, mergeValues, toUpdate, toValues } from './edit-values.ts';
import { type Conflict, StaleNotice } from './StaleNotice.tsx';

const affected = [
  'affiliates.get',
  'affiliateTable.summary',
  'affiliateTable.activity',
  'affiliateTable.list',
  'affiliates.rates',
] as const;

export function EditSheet({ affiliate, isOpen, onClose }: { affiliate: Details; isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('affiliate');
  const { form, conflict, isBusy, submit, base, goOn } = useEdit(affiliate, onClose);
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('edit.titleOf', { name: fullName(affiliate) })}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form="edit-affiliate" keys="mod+s" isBusy={isBusy} disabled={conflict !== null}>
            {t('edit.save')}
          </Button>
        </>
      }
    >
      <Form form={form} id="edit-affiliate" onSubmit={submit}>
        {conflict === null ? null : (
          <StaleNotice
            conflict={conflict}
            base={base}
            mine={form.values}
            onKeepMine={() => goOn(conflict, 'mine')}
            onTakeTheirs={() => goOn(conflict, 'theirs')}
          />
        )}
        <Profile form={form} />
        <Terms form={form} affiliate={base} />
        <Override form={form} currency={affiliate.currency} />
      </Form>
    </Sheet>
  );
}

/** The form, based on the affiliate as it was when the form was opened: a newer version is not overwritten. */
function useEdit(affiliate: Details, onClose: () => void) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const path = { programId, id: affiliate.id };
  const [base, setBase] = useState(affiliate);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const form = useForm(toValues(affiliate));
  const update = useAction('affiliates.update', { invalidates: affected, ifMatch: base.version });
  const fail = async (error: RequestError) => {
    if (error.code !== 'stale_affiliate') return form.setProblem(error);
    const current = await call('affiliates.get', { path, query: { expand: 'group,parentAffiliate' } });
    const { changedBy, changedAt } = error.body as { changedBy?: { name: string | null } | null; changedAt?: string | null };
    setConflict({ current, changedBy: changedBy?.name ?? null, changedAt: changedAt ?? null });
  };
  const submit = () =>
    update.mutate(
      { path, body: toUpdate(toValues(base), form.values) },
      {
        onError: (error) => void fail(error).catch(showProblem),
        onSuccess: () => {
          onClose();
          showToast(t('edit.saved'));
        },
      },
    );
  const goOn = ({ current }: Conflict, choice: 'mine' | 'theirs') => {
    const theirs = toValues(current);
    const mine = mergeValues({ base: toValues(base), mine: form.values, theirs });
    form.reset(theirs);
    if (choice === 'mine') form.setValues(mine);
    setBase(current);
    setConflict(null);
  };
  return { form, conflict, isBusy: update.isPending, submit, base, goOn };
}

type Part = { form: FormState<EditValues> };

function Profile({ form }: Part) {
  const { t } = useTranslation('affiliate');
  return (
    <>
      <FieldRow>
        <TextInput label={t('field.firstName')} hasAutoFocus {...form.field('firstName')} />
        <TextInput label={t('field.lastName')} {...form.field('lastName')} />
      </FieldRow>
      <TextInput label={t('field.email')} type="email" inputMode="email" {...form.field('email')} />
      <FieldRow>
        <TextInput label={t('field.vanitySlug')} isMono help={t('edit.slugHelp')} {...form.field('vanitySlug')} />
        <TextInput label={t('field.externalId')} isMono help={t('edit.externalIdHelp')} {...form.field('externalId')} />
      </FieldRow>
      <TextInput label={t('field.tags')} help={t('edit.tagsHelp')} {...form.field('tags')} />
    </>
  );
}

function Terms({ form, affiliate }: Part & { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const groups = useRead('groups.list', { path: { programId }, query: { limit: 100, status: ['active'] } });
  const current = affiliate.group ? [{ value: affiliate.group.id, label: affiliate.group.name }] : [];
  const options = groups.data?.groups.map(({ id, name }) => ({ value: id, label: name })) ?? current;
  const uplineHelp = useUplineHelp();
  return (
    <FieldRow>
      <Select
        label={t('field.groupId')}
        options={options}
        canClear
        placeholder={t('noGroup')}
        help={t('edit.groupHelp')}
        {...form.field('groupId')}
      />
      <AffiliateSelect
        label={t('field.parentAffiliateId')}
        current={affiliate.parentAffiliate ?? null}
        excludeId={affiliate.id}
        help={uplineHelp}
        {...form.field('parentAffiliateId')}
      />
    </FieldRow>
  );
}

function Override({ form, currency }: Part & { currency: string }) {
  const { t } = useTranslation('affiliate');
  const { override } = form.values;
  return (
    <div className={styles.override}>
      <span className={styles.legend}>{t('edit.override')}</span>
      <Segments
        label={t('edit.override')}
        value={override}
        onChange={(next) => form.setValues({ override: next })}
        tabs={[
          { id: 'none', label: t('edit.overrideNone') },
          { id: 'percentage', label: t('edit.overridePercentage') },
          { id: 'flat', label: t('edit.overrideFlat') },
        ]}
      />
      {override === 'percentage' ? (
        <RateInput
          label={t('edit.percentage')}
          help={t('edit.percentageHelp')}
          {...form.field('overridePercent')}
          error={form.errors.commissionOverrideRate}
        />
      ) : null}
      {override === 'flat' ? (
        <MoneyInput
          label={t('edit.flat')}
          currency={currency}
          unit={t('edit.perOrder')}
          help={t('edit.flatHelp')}
          {...form.field('overrideCents')}
          error={form.errors.commissionOverrideRate}
        />
      ) : null}
    </div>
  );
}
