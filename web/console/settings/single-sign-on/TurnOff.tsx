import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';

/** Removes the provider of the organization. */
export function TurnOff() {
  const { t } = useTranslation('single-sign-on');
  const { id: programId } = useProgram();
  const [isOpen, setIsOpen] = useState(false);
  const remove = useAction('singleSignOn.remove', { invalidates: ['singleSignOn.get'] });
  const close = () => setIsOpen(false);
  const confirm = () =>
    remove.mutate({ path: { programId } }, { onSuccess: () => showToast(t('turnedOff')), onError: showProblem, onSettled: close });
  return (
    <Card title={t('turnOff')}>
      <Stack gap={12}>
        <Text>{t('turnOffText')}</Text>
        <div>
          <Button onClick={() => setIsOpen(true)}>{t('turnOffAction')}</Button>
        </div>
      </Stack>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        title={t('turnOffTitle')}
        text={t('turnOffText')}
        action={t('turnOffAction')}
        isBusy={remove.isPending}
        onConfirm={confirm}
      />
    </Card>
  );
}
