import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Row } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import type { Domain } from './domain.ts';

/** Checks a domain, makes it the default of its purpose, and removes it. */
export function DomainActions({ domain: { id, host, status, isDefault } }: { domain: Domain }) {
  const { t } = useTranslation('domains');
  const { id: programId } = useProgram();
  const [isOpen, setIsOpen] = useState(false);
  const invalidates = ['domains.list'] as const;
  const check = useAction('domains.check', { invalidates });
  const update = useAction('domains.update', { invalidates });
  const remove = useAction('domains.delete', { invalidates });
  const path = { programId, id };
  const checkNow = () =>
    check.mutate({ path }, { onSuccess: (checked) => showToast(t(`checked.${checked.status}`, { host })), onError: showProblem });
  const makeDefault = () =>
    update.mutate({ path, body: { isDefault: true } }, { onSuccess: () => showToast(t('madeDefault', { host })), onError: showProblem });
  const close = () => setIsOpen(false);
  const confirm = () =>
    remove.mutate({ path }, { onSuccess: () => showToast(t('removed', { host })), onError: showProblem, onSettled: close });
  return (
    <Row>
      <Button size="small" icon="refresh" isBusy={check.isPending} aria-label={`${t('check')}: ${host}`} onClick={checkNow}>
        {t('check')}
      </Button>
      {status === 'active' && !isDefault ? (
        <Button size="small" isBusy={update.isPending} aria-label={`${t('makeDefault')}: ${host}`} onClick={makeDefault}>
          {t('makeDefault')}
        </Button>
      ) : null}
      <Button size="small" kind="quiet" icon="trash" aria-label={`${t('remove')}: ${host}`} onClick={() => setIsOpen(true)}>
        {t('remove')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        title={t('removeTitle', { host })}
        text={t('removeText')}
        action={t('removeAction', { host })}
        isBusy={remove.isPending}
        onConfirm={confirm}
      />
    </Row>
  );
}
