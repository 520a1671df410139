// The time of a program in test mode, and moving it forward.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { formatCount } from '../../../ui/figures/format.ts';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Progress } from '../../../ui/marks/progress.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from './test-clock.module.css';

type Clock = Result<'testClock.get'>;

const [pollMs, idleMs] = [1000, 30_000];
const daySeconds = 86_400;

export function Screen() {
  const { t } = useTranslation('test-clock');
  const { id: programId } = useProgram();
  const path = { programId };
  const [isAdvancing, setIsAdvancing] = useState(false);
  const read = useRead('testClock.get', { path }, { staleMs: 0, refreshMs: isAdvancing ? pollMs : idleMs });
  const isRunning = read.data?.status === 'advancing';
  if (read.data !== undefined && isRunning !== isAdvancing) setIsAdvancing(isRunning);
  return (
    <Page title={t('title')} lede={t('lede')} width="reading">
      <Loaded read={read} what={t('what')} skeleton={<SkeletonText lines={6} />}>
        {(clock) =>
          clock.status === 'unavailable' ? <Notice title={t('live.title')}>{t('live.text')}</Notice> : <ClockCards clock={clock} />
        }
      </Loaded>
    </Page>
  );
}

function ClockCards({ clock }: { clock: Clock }) {
  const { t } = useTranslation('test-clock');
  return (
    <Stack gap={20}>
      {clock.lastError === null ? null : (
        <Notice tone="error" icon="warning" title={t('failed.title')}>
          {t('failed.text')}
        </Notice>
      )}
      <Card title={t('now.title')}>
        <Now clock={clock} />
      </Card>
      <Card title={t('advance.title')}>
        <Advance clock={clock} />
      </Card>
    </Stack>
  );
}

function Now({ clock: { currentAt, aheadSeconds, targetAt, progressPercent } }: { clock: Clock }) {
  const { t } = useTranslation('test-clock');
  const { language } = useFigures();
  const days = Math.floor(aheadSeconds / daySeconds);
  const ahead = aheadSeconds === 0 ? t('now.real') : t('now.days', { count: days, days: formatCount(days, language) });
  return (
    <Stack gap={16}>
      <Facts
        rows={[
          { label: t('now.time'), value: <DateTime value={currentAt} as="exact" /> },
          { label: t('now.ahead'), value: ahead },
        ]}
      />
      {targetAt === null || progressPercent === null ? null : (
        <div className={styles.running} aria-live="polite">
          <Progress size={6} max={100} value={progressPercent} label={t('now.running')} />
          <Text size="small">
            {t('now.until')} <DateTime value={targetAt} as="exact" />
          </Text>
        </div>
      )}
    </Stack>
  );
}

const presets = [1, 7, 30, 90] as const;

function Advance({ clock }: { clock: Clock }) {
  const { t } = useTranslation('test-clock');
  const { id: programId, can } = useProgram();
  const form = useForm<{ days: number | null }>({ days: 30 });
  const [isAsking, setIsAsking] = useState(false);
  const advance = useAction('testClock.advance', { invalidates: ['testClock.get'] });
  const days = form.values.days ?? 0;
  const send = () => {
    setIsAsking(false);
    advance.mutate(
      { path: { programId }, body: { days } },
      { onSuccess: () => form.reset(form.values), onError: ({ message, details }) => form.setProblem({ message, details }) },
    );
  };
  // The first advance can't be undone, and keeps the program from going live.
  const start = () => (clock.aheadSeconds === 0 ? setIsAsking(true) : send());
  if (!can('settings.write')) return <Text>{t('advance.forbidden')}</Text>;
  const isBusy = advance.isPending || clock.status === 'advancing';
  return (
    <Form form={form} onSubmit={start} buttons={<AdvanceButton days={days} isBusy={isBusy} />}>
      <Text>{t('advance.text')}</Text>
      <WholeNumberInput {...form.field('days')} label={t('advance.days')} help={t('advance.help')} unit={t('advance.unit')} />
      <div className={styles.presets}>
        {presets.map((count) => (
          <Button key={count} size="small" onClick={() => form.setValues({ days: count })}>
            {t('advance.preset', { count })}
          </Button>
        ))}
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('confirm.title')}
        text={t('confirm.text')}
        action={t('advance.action', { count: days })}
        onConfirm={send}
      />
    </Form>
  );
}

function AdvanceButton({ days, isBusy }: { days: number; isBusy: boolean }) {
  const { t } = useTranslation('test-clock');
  return (
    <Button kind="primary" type="submit" icon="clock" isBusy={isBusy}>
      {t('advance.action', { count: days })}
    </Button>
  );
}
