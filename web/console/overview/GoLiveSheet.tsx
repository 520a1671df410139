// Switching a test program to live: what it still lacks, and the unpaid commissions of test orders that it would pay.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useInvalidate, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { Link } from '../../ui/layout/link.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useTarget } from './links.ts';
import { stepTargets } from './targets.ts';

type Steps = Result<'checklist.get'>;

export function GoLiveSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('overview');
  const { id: programId } = useProgram();
  const read = useRead('checklist.get', { path: { programId } });
  return (
    <Sheet isOpen onClose={onClose} title={t('goLive.title')}>
      <Loaded read={read} what={t('checklist.what')} skeleton={<SkeletonText lines={6} />}>
        {(checklist) => <GoLive checklist={checklist} onClose={onClose} />}
      </Loaded>
    </Sheet>
  );
}

function GoLive({ checklist: { steps, unpaidCents }, onClose }: { checklist: Steps; onClose: () => void }) {
  const { t } = useTranslation('overview');
  const { currency, can } = useProgram();
  const { language } = useFigures();
  const hrefOf = useTarget();
  const { submit, isBusy } = useGoLive(unpaidCents, onClose);
  const missing = (steps.find(({ id }) => id === 'live')?.missing ?? []).filter((code) => code !== 'confirmation');
  const isLive = steps.some(({ id, isDone }) => id === 'live' && isDone);
  const amount = formatMoney(unpaidCents, currency, language);
  if (isLive) return <Text>{t('goLive.isLive')}</Text>;
  return (
    <Stack gap={16}>
      <Text>{t('goLive.text')}</Text>
      {missing.map((code) => (
        <Notice key={code} icon="info" title={t(`checklist.missing.${code}`)}>
          <Link href={hrefOf(stepTargets[code]) ?? ''}>{t('goLive.fix')}</Link>
        </Notice>
      ))}
      {unpaidCents === 0 ? null : (
        <Notice icon="warning" tone="held" title={t('goLive.unpaid', { amount })}>
          {t('goLive.unpaidText')} <Link href={hrefOf({ screen: 'conversions' }) ?? ''}>{t('goLive.orders')}</Link>
        </Notice>
      )}
      {can('settings.write') ? (
        <div>
          <Button kind="primary" isBusy={isBusy} disabled={missing.length > 0} onClick={submit}>
            {unpaidCents === 0 ? t('goLive.action') : t('goLive.actionWith', { amount })}
          </Button>
        </div>
      ) : (
        <Text>{t('goLive.forbidden')}</Text>
      )}
    </Stack>
  );
}

function useGoLive(unpaidCents: number, onDone: () => void) {
  const { t } = useTranslation('overview');
  const { id: programId } = useProgram();
  const invalidate = useInvalidate();
  const goLive = useAction('programs.goLive', { invalidates: ['checklist.get', 'appMe.get', 'programs.get'] });
  const submit = () =>
    goLive.mutate(
      { path: { programId }, body: { unpaidCents } },
      {
        onSuccess: () => {
          showToast(t('goLive.done'));
          onDone();
        },
        onError: (error) => {
          // The amount changed since it was read: it is shown before the next attempt.
          invalidate(['checklist.get']);
          if (error.details.length > 0) showToast(t('goLive.changed'), { tone: 'error' });
          else showProblem(error);
        },
      },
    );
  return { submit, isBusy: goLive.isPending };
}
