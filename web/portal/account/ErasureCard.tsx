// Asking the program to erase the data about the affiliate: what happens, what is kept, and what became of the request.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate } from '../../ui/figures/dates.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { useAccount } from '../session/account.ts';
import styles from './account.module.css';

const affected = ['portal.erasure'] as const;

export function ErasureCard() {
  const { t } = useTranslation('portal-account');
  const { programId, programName } = useAccount();
  const place = useFigures();
  const [isAsking, setIsAsking] = useState(false);
  const path = { programId };
  const read = useRead('portal.erasure', { path });
  const ask = useAction('portal.requestErasure', { invalidates: affected });
  const withdraw = useAction('portal.withdrawErasure', { invalidates: affected });
  if (read.data === undefined) return null;
  const { request } = read.data;
  const isOpen = request?.status === 'open';
  const date = request ? formatDate(request.decidedAt ?? request.createdAt, place) : '';
  const confirm = () => {
    setIsAsking(false);
    ask.mutate({ path }, { onError: showProblem });
  };
  return (
    <Card title={t('erasure.title')}>
      <Stack gap={12}>
        {request === null || request.status === 'withdrawn' ? null : (
          <Text tone="ink">{t(`erasure.status.${request.status}`, { program: programName, date })}</Text>
        )}
        {request?.decisionNote ? <blockquote className={styles.reason}>{request.decisionNote}</blockquote> : null}
        <ul className={styles.consequences}>
          <li>{t('erasure.first', { program: programName })}</li>
          <li>{t('erasure.erased')}</li>
          <li>{t('erasure.kept')}</li>
        </ul>
        <div>
          {isOpen ? (
            <Button isBusy={withdraw.isPending} onClick={() => withdraw.mutate({ path }, { onError: showProblem })}>
              {t('erasure.withdraw')}
            </Button>
          ) : request?.status === 'accepted' ? null : (
            <Button isBusy={ask.isPending} onClick={() => setIsAsking(true)}>
              {t('erasure.ask')}
            </Button>
          )}
        </div>
      </Stack>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('erasure.title')}
        text={t('erasure.confirm', { program: programName })}
        action={t('erasure.ask')}
        onConfirm={confirm}
      />
    </Card>
  );
}
