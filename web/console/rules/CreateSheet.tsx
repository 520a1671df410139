// Adds a commission rule. What an order would earn with it, and its effect on past orders, are calculated before it is saved.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useForm } from '../../ui/form/form.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { affected } from './affected.ts';
import { DraftEffect } from './effect/DraftEffect.tsx';
import { NotifyAffiliates } from './effect/NotifyAffiliates.tsx';
import { RuleForm } from './form/RuleForm.tsx';
import { emptyRule, findMissing, type RuleValues, toRule } from './form/rule-values.ts';
import type { RuleChange } from './rule-change.ts';
import type { TestedOrder } from './tester/tested-order.ts';

type Props = { isOpen: boolean; onClose: () => void; order: TestedOrder; onOrder: (order: TestedOrder) => void };

export function CreateSheet({ isOpen, onClose, order, onOrder }: Props) {
  const { t } = useTranslation('rules');
  const { id: programId, timezone } = useProgram();
  const id = useId();
  const form = useForm<RuleValues>(emptyRule);
  const [isNotifying, setIsNotifying] = useState(false);
  const create = useAction('commissionRules.create', { invalidates: affected });
  const close = () => {
    form.reset(emptyRule);
    setIsNotifying(false);
    onClose();
  };
  const submit = () => {
    create.mutate(
      { path: { programId }, body: { ...toRule(form.values, timezone), notifyAffiliates: isNotifying } },
      {
        onSuccess: ({ name }) => {
          showToast(t('created', { name }));
          close();
        },
        onError: form.setProblem,
      },
    );
  };
  // A draft is tested and simulated before it has a name.
  const named = { ...form.values, name: form.values.name.trim() || t('simulation.draft') };
  const change: RuleChange | null = findMissing(named).length > 0 ? null : { add: [toRule(named, timezone)] };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('createTitle')}
      width="wide"
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={id} icon="plus" isBusy={create.isPending}>
          {t('create')}
        </Button>
      }
    >
      <Stack gap={24}>
        <RuleForm form={form} id={id} onSubmit={submit} />
        {change ? <NotifyAffiliates change={change} value={isNotifying} onChange={setIsNotifying} /> : null}
        {form.values.kind === 'lead' ? null : (
          <DraftEffect
            change={change}
            order={order}
            onOrder={onOrder}
            onIncomplete={() => form.setMissing(findMissing(form.values).filter((field) => field !== 'name'))}
          />
        )}
      </Stack>
    </Sheet>
  );
}
