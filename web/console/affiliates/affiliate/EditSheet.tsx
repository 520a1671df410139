// Editing an affiliate: profile, group and upline, and their own rate with its unit.
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { type FieldTexts, StaleNotice } from '../../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../../states/edit/use-edit.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { fullName } from '../../../ui/figures/full-name.ts';
import { MoneyInput, RateInput } from '../../../ui/form/amounts.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldRow, Form, type FormState } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { AffiliateSelect } from '../AffiliateSelect.tsx';
import { useUplineHelp } from '../use-upline-help.ts';
import styles from './affiliate.module.css';
import type { Details } from './details.ts';
import { type EditValues, toUpdate, toValues } from './edit-values.ts';

const affected = [
  'affiliates.get',
  'affiliateTable.summary',
  'affiliateTable.activity',
  'affiliateTable.list',
  'affiliates.rates',
] as const;

export function EditSheet({ affiliate, isOpen, onClose }: { affiliate: Details; isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('affiliate');
  const edit = useAffiliateEdit(affiliate, onClose);
  const { form, base, conflict, isBusy, submit } = edit;
  const texts = useFieldTexts();
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
        <StaleNotice edit={edit} toValues={toValues} {...texts} />
        <Profile form={form} />
        <Terms form={form} affiliate={base} />
        <Override form={form} currency={affiliate.currency} />
      </Form>
    </Sheet>
  );
}

/** The form, based on the affiliate as it was when the form was opened: a newer version is not overwritten. */
function useAffiliateEdit(affiliate: Details, onClose: () => void) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const path = { programId, id: affiliate.id };
  const update = useAction('affiliates.update', { invalidates: affected });
  return useEdit({
    stored: affiliate,
    toValues,
    load: () => call('affiliates.get', { path, query: { expand: 'group,parentAffiliate' } }),
    save: async ({ base, values }) => {
      await update.mutateAsync({ path, body: toUpdate(toValues(base), values), ifMatch: base.version });
      return undefined;
    },
    onSaved: () => {
      onClose();
      showToast(t('edit.saved'));
    },
  });
}

/** The names of fields and values in a conflict. */
function useFieldTexts(): FieldTexts<Details, EditValues> {
  const { t } = useTranslation('affiliate');
  const labels = {
    firstName: t('field.firstName'),
    lastName: t('field.lastName'),
    email: t('field.email'),
    vanitySlug: t('field.vanitySlug'),
    externalId: t('field.externalId'),
    tags: t('field.tags'),
    groupId: t('field.groupId'),
    parentAffiliateId: t('field.parentAffiliateId'),
    override: t('edit.override'),
    overridePercent: t('edit.override'),
    overrideCents: t('edit.override'),
  };
  const show: FieldTexts<Details, EditValues>['show'] = (name, values, stored) => {
    if (name === 'groupId') return stored?.group?.name ?? (values.groupId === null ? t('noGroup') : t('edit.otherGroup'));
    if (name !== 'override') return undefined;
    return t(({ none: 'edit.overrideNone', percentage: 'edit.overridePercentage', flat: 'edit.overrideFlat' } as const)[values.override]);
  };
  return { labels, show };
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
