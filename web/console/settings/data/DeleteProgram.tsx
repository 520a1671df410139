// Deleting the program: what is lost and when, what has to be settled first, and the confirmation by its name.
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { RequestError } from '../../../api/errors.ts';
import { useAction, useInvalidate } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDate } from '../../../ui/figures/dates.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Checkbox } from '../../../ui/form/choices.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import styles from './data.module.css';

type Preview = Result<'programDeletion.get'>;

/** Orders are counted up to this number. */
const maxCounted = 10_000;
const dayMs = 86_400_000;

export function DeleteProgram({ preview }: { preview: Preview }) {
  const { t } = useTranslation('data');
  const { name } = useProgram();
  const figures = useFigures();
  const [isAsking, setIsAsking] = useState(false);
  const [hasRecords, setHasRecords] = useState(false);
  const { graceDays, affiliates, orders, obstacles, mustKeepRecords } = preview;
  const until = formatDate(figures.now + graceDays * dayMs, figures, figures.now);
  const count = (value: number) => `${formatCount(value, figures.language)}${value >= maxCounted ? '+' : ''}`;
  const isReady = obstacles.length === 0 && (hasRecords || !mustKeepRecords);
  return (
    <Stack gap={16}>
      <Text>{t('delete.text', { name })}</Text>
      <ul className={styles.list}>
        {(['access', 'links', 'orders'] as const).map((key) => (
          <li key={key}>{t(`delete.${key}`)}</li>
        ))}
      </ul>
      <Facts
        rows={[
          { label: t('fact.affiliates'), value: count(affiliates) },
          { label: t('fact.orders'), value: count(orders) },
          { label: t('fact.restorable'), value: t('fact.days', { count: graceDays }) },
          { label: t('fact.erased'), value: until },
        ]}
      />
      <Obstacles obstacles={obstacles} />
      {mustKeepRecords && obstacles.length === 0 ? (
        <Checkbox label={t('delete.hasRecords')} help={t('delete.hasRecordsHelp')} value={hasRecords} onChange={setHasRecords} />
      ) : null}
      <div>
        <Button kind="danger" icon="trash" disabled={!isReady} onClick={() => setIsAsking(true)}>
          {t('delete.action', { name })}
        </Button>
      </div>
      <Ask isOpen={isAsking} onClose={() => setIsAsking(false)} hasRecords={hasRecords} until={until} />
    </Stack>
  );
}

/** What has to be settled first; nothing is shown when nothing has to be. */
function Obstacles({ obstacles }: Pick<Preview, 'obstacles'>) {
  const { t } = useTranslation('data');
  const { currency } = useProgram();
  const { language } = useFigures();
  if (obstacles.length === 0) return null;
  return (
    <Notice icon="warning" tone="held" title={t('obstacle.title')}>
      <ul className={styles.list}>
        {obstacles.map(({ code, count, amountCents }) => (
          <li key={code}>{t(`obstacle.${code}`, { count, amount: formatMoney(amountCents ?? 0, currency, language) })}</li>
        ))}
      </ul>
    </Notice>
  );
}

type AskProps = { isOpen: boolean; onClose: () => void; hasRecords: boolean; until: string };

function Ask({ isOpen, onClose, hasRecords, until }: AskProps) {
  const { t } = useTranslation('data');
  const { id: programId, name } = useProgram();
  const router = useRouter();
  const invalidate = useInvalidate();
  const remove = useAction('programDeletion.request');
  useStepUp(isOpen, onClose);
  const submit = async () => {
    try {
      await remove.mutateAsync({ path: { programId }, body: { name, hasRecords } });
      // The program is inaccessible from now on: its screens would say that it doesn't exist.
      await router.navigate({ to: '/', search: { all: '1' } });
      invalidate(['appMe.get']);
      showToast(t('deleted', { name }));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showToast(error.message, { tone: 'error' });
      onClose();
    }
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t('confirm.title', { name })}
      text={t('confirm.text', { name, until })}
      action={t('delete.action', { name })}
      typedName={name}
      isBusy={remove.isPending}
      onConfirm={() => void submit()}
    />
  );
}
