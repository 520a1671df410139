// Changes a commission rule as a new version. Changes that others saved in the meantime are shown, and not overwritten.
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { StaleNotice } from '../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../states/edit/use-edit.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { affected } from './affected.ts';
import { DraftEffect } from './effect/DraftEffect.tsx';
import { NotifyAffiliates } from './effect/NotifyAffiliates.tsx';
import { RuleForm } from './form/RuleForm.tsx';
import { findMissing, type Rule, type RuleValues, toRule, toValues } from './form/rule-values.ts';
import { useFieldTexts } from './form/use-field-texts.ts';
import type { RuleChange } from './rule-change.ts';
import type { TestedOrder } from './tester/tested-order.ts';

type Stored = Omit<Rule, 'version'> & { version: string };

type Props = { rule: Rule; onClose: () => void; order: TestedOrder; onOrder: (order: TestedOrder) => void };

export function EditSheet({ rule, onClose, order, onOrder }: Props) {
  const { t } = useTranslation('rules');
  const { timezone } = useProgram();
  const id = useId();
  const texts = useFieldTexts();
  const [isNotifying, setIsNotifying] = useState(false);
  const edit = useRuleEdit(rule, { onClose, isNotifying });
  const { form, conflict, isBusy, submit } = edit;
  const isComplete = findMissing(form.values).length === 0;
  const change: RuleChange | null =
    isComplete && form.hasChanges ? { replace: [{ ruleId: rule.id, ...toRule(form.values, timezone) }] } : null;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('editTitle', { name: rule.name })}
      detail={t('editDetail', { version: rule.version + 1 })}
      width="wide"
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={id} keys="mod+s" isBusy={isBusy} disabled={conflict !== null}>
            {t('save')}
          </Button>
        </>
      }
    >
      <Stack gap={24}>
        <StaleNotice edit={edit} toValues={(stored) => toFormValues(stored, timezone)} {...texts} />
        <RuleForm form={form} id={id} onSubmit={submit} />
        <Text size="small">{t('editText')}</Text>
        {change ? <NotifyAffiliates change={change} value={isNotifying} onChange={setIsNotifying} /> : null}
        {form.values.kind === 'lead' ? null : <DraftEffect change={change} order={order} onOrder={onOrder} />}
      </Stack>
    </Sheet>
  );
}

function toStored({ version, ...rule }: Rule): Stored {
  return { ...rule, version: String(version) };
}

function toFormValues({ version, ...stored }: Stored, timezone: string): RuleValues {
  return toValues({ ...stored, version: Number(version) }, timezone);
}

function useRuleEdit(rule: Rule, { onClose, isNotifying }: { onClose: () => void; isNotifying: boolean }) {
  const { t } = useTranslation('rules');
  const { id: programId, timezone } = useProgram();
  const path = { programId, id: rule.id };
  // One object per version: another one would be a change by someone else.
  const stored = useMemo(() => toStored(rule), [rule]);
  const update = useAction('commissionRules.update', { invalidates: affected });
  return useEdit<Stored, RuleValues>({
    stored,
    toValues: (stored) => toFormValues(stored, timezone),
    load: async () => toStored(await call('commissionRules.get', { path })),
    save: async ({ base, values }) => {
      await update.mutateAsync({ path, body: { ...toRule(values, timezone), notifyAffiliates: isNotifying }, ifMatch: base.version });
      return undefined;
    },
    onSaved: () => {
      showToast(t('saved'), { tone: 'success' });
      onClose();
    },
  });
}
