// What a change of the rules would have changed on past orders. With many orders it is calculated in the background, and can
// be cancelled.
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { addDays, dayOf, startOfDay } from '../../../ui/figures/days.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Section } from '../../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { Progress } from '../../../ui/marks/progress.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { RuleChange } from '../rule-change.ts';
import styles from '../rules.module.css';
import { Findings } from './Findings.tsx';

type Task = Result<'ruleSimulations.get'>;

const periods = ['30', '90', '365'] as const;
const pollMs = 1000;

type Props = {
  /** Null while the form is incomplete. */
  change: RuleChange | null;
  /** Shows what is missing. */
  onIncomplete?: (() => void) | undefined;
  /** What is changed, if the form around it doesn't say so. */
  children?: ReactNode;
};

export function Simulation({ change, onIncomplete, children }: Props) {
  const { t } = useTranslation('rules');
  const { id: programId, timezone } = useProgram();
  const { now } = useFigures();
  const [days, setDays] = useState<(typeof periods)[number]>('90');
  const [started, setStarted] = useState<{ key: string; id: string } | null>(null);
  const start = useAction('ruleSimulations.create');
  const today = dayOf(now, timezone);
  const from = startOfDay(addDays(today, 1 - Number(days)), timezone);
  const to = startOfDay(addDays(today, 1), timezone);
  const body = Object.assign({ from, to }, change === null ? null : withoutDates(change));
  const key = change === null ? null : JSON.stringify(body);
  const calculate = () => {
    if (key === null) return onIncomplete?.();
    start.mutate({ path: { programId }, body }, { onSuccess: ({ id }) => setStarted({ key, id }), onError: showProblem });
  };
  return (
    <Section title={t('simulation.title')} detail={t('simulation.text')}>
      <Stack gap={16}>
        {children}
        <Row justify="space-between">
          <Segments
            label={t('simulation.period')}
            tabs={periods.map((id) => ({ id, label: t(`simulation.days.${id}`) }))}
            value={days}
            onChange={setDays}
          />
          <Button icon="chart" isBusy={start.isPending} onClick={calculate}>
            {t('simulation.action')}
          </Button>
        </Row>
        {/* A result is shown only for the change that it was calculated for. */}
        {started !== null && started.key === key ? <Calculation key={started.id} id={started.id} /> : null}
      </Stack>
    </Section>
  );
}

/** The change as if it had always applied: its dates say when it begins, not what it would have cost. */
function withoutDates({ add = [], replace = [], archiveRuleIds = [] }: RuleChange): RuleChange {
  const dates = { effectiveFrom: null, effectiveTo: null };
  return {
    add: add.map((rule) => ({ ...rule, ...dates })),
    replace: replace.map((rule) => ({ ...rule, ...dates })),
    archiveRuleIds,
  };
}

function Calculation({ id }: { id: string }) {
  const { t } = useTranslation('rules');
  const { id: programId } = useProgram();
  const [isOpen, setIsOpen] = useState(true);
  const read = useRead('ruleSimulations.get', { path: { programId, id } }, isOpen ? { refreshMs: pollMs, staleMs: 0 } : {});
  const hasEnded = read.data !== undefined && read.data.finishedAt !== null;
  if (isOpen && hasEnded) setIsOpen(false);
  return (
    <div aria-live="polite">
      <Loaded read={read} what={t('simulation.what')} skeleton={<SkeletonText lines={5} />}>
        {(task) => <State task={task} />}
      </Loaded>
    </div>
  );
}

function State({ task }: { task: Task }) {
  const { t } = useTranslation('rules');
  if (task.outcome !== null) return <Findings outcome={task.outcome} currency={task.currency} />;
  if (task.status === 'cancelled') return <Text>{t('simulation.cancelled')}</Text>;
  if (task.status === 'failed') return <Text>{t('simulation.failed')}</Text>;
  return <Running task={task} />;
}

function Running({ task: { id, done, total } }: { task: Task }) {
  const { t } = useTranslation('rules');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const cancel = useAction('ruleSimulations.cancel', { invalidates: ['ruleSimulations.get'] });
  const text = t('simulation.running', { done: formatCount(done, language), total: formatCount(total, language) });
  return (
    <div className={styles.running}>
      <Progress size={6} value={done} max={Math.max(1, total)} label={text} />
      <Row justify="space-between">
        <Text size="small">{text}</Text>
        <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate({ path: { programId, id } }, { onError: showProblem })}>
          {t('simulation.cancel')}
        </Button>
      </Row>
    </div>
  );
}
