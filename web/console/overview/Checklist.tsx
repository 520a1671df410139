// The first steps of a program. Each is completed by what exists, never by a click, and leads to where it is done.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Progress } from '../../ui/marks/progress.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useTarget } from './links.ts';
import styles from './overview.module.css';
import { stepTargets } from './targets.ts';

type Steps = Result<'checklist.get'>;
type Step = Steps['steps'][number];

const refreshMs = 15_000;
/** The preference of the user that lists the programs whose first steps are hidden. */
const preference = 'first-steps';
/** Keeps the preference within its size. */
const maxHidden = 150;

/** All steps, on the overview of a new program. */
export function Checklist() {
  const { t } = useTranslation('overview');
  const { id: programId } = useProgram();
  const read = useRead('checklist.get', { path: { programId } }, { refreshMs });
  return (
    <Loaded read={read} what={t('checklist.what')} skeleton={<SkeletonText lines={9} />}>
      {(checklist) => <StepList checklist={checklist} />}
    </Loaded>
  );
}

function StepList({ checklist: { steps, done, total } }: { checklist: Steps }) {
  const { t } = useTranslation('overview');
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Card title={t('checklist.title')} detail={t('checklist.done', { done, total })} isFlush>
      <Progress max={total} value={done} label={t('checklist.done', { done, total })} />
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <StepItem key={step.id} step={step} earlier={steps.slice(0, index)} isNext={step === next} />
        ))}
      </ol>
    </Card>
  );
}

function StepItem({ step, earlier, isNext }: { step: Step; earlier: readonly Step[]; isNext: boolean }) {
  const { t } = useTranslation('overview');
  const href = useStepHref()(step);
  const title = t(`checklist.step.${step.id}`);
  const detail = useDetail(step, earlier);
  return (
    <li className={styles.step} data-done={step.isDone || undefined} data-next={isNext || undefined}>
      <span className={styles.stepMark} aria-hidden>
        {step.isDone ? <Icon name="check" size={16} /> : earlier.length + 1}
      </span>
      <span className={styles.itemText}>
        <span className={styles.itemTitle}>{href === undefined ? title : <Link href={href}>{title}</Link>}</span>
        <span className={styles.itemDetail}>{step.isDone ? t('checklist.isDone') : detail}</span>
      </span>
    </li>
  );
}

/** What completes a step. What an earlier step says is not repeated: that step is named instead. */
function useDetail({ missing }: Step, earlier: readonly Step[]): string {
  const { t, i18n } = useTranslation('overview');
  const first = earlier.filter((each) => each.missing.some((code) => missing.includes(code)));
  const said = new Set(first.flatMap((each) => each.missing));
  const sentences = missing.filter((code) => !said.has(code)).map((code) => t(`checklist.missing.${code}`));
  if (sentences.length > 0) return sentences.join(' ');
  const names = first.map(({ id }) => t('checklist.named', { step: t(`checklist.step.${id}`) }));
  return t('checklist.earlier', { steps: new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(names) });
}

/** Where the first missing part of a step is completed. */
function useStepHref(): (step: Step) => string | undefined {
  const hrefOf = useTarget();
  return ({ missing: [first] }) => (first === undefined ? undefined : hrefOf(stepTargets[first]));
}

/** The next step in one line, above the figures of a program that has orders. Nothing once every step is done. */
export function NextStep() {
  const { t } = useTranslation('overview');
  const { id: programId } = useProgram();
  const { data } = useRead('checklist.get', { path: { programId } }, { refreshMs: 4 * refreshMs });
  const hrefOf = useStepHref();
  const { isHidden, hide } = useHidden(programId);
  const next = data?.steps.find(({ isDone }) => !isDone);
  if (data === undefined || next === undefined || isHidden) return null;
  const href = hrefOf(next);
  const title = t(`checklist.step.${next.id}`);
  return (
    <section className={styles.nextStep} aria-label={t('checklist.title')}>
      <strong>{t('checklist.title')}</strong>
      <span>{t('checklist.done', { done: data.done, total: data.total })}</span>
      <span>
        {t('checklist.next')} {href === undefined ? title : <Link href={href}>{title}</Link>}
      </span>
      <span className={styles.hideSteps}>
        <Button size="small" kind="quiet" onClick={hide}>
          {t('checklist.hide')}
        </Button>
      </span>
    </section>
  );
}

/** Whether the user has hidden the first steps of this program. Hidden until that is known, so that nothing moves. */
function useHidden(programId: string) {
  const stored = useRead('preferences.get', {}, { staleMs: 60_000 });
  const { mutate } = useAction('preferences.update', { invalidates: ['preferences.get'] });
  const [isHiddenNow, setHiddenNow] = useState(false);
  const programIds = stored.data?.preferences[preference]?.hiddenFor;
  const hidden: unknown[] = Array.isArray(programIds) ? programIds : [];
  const hide = () => {
    setHiddenNow(true);
    mutate({ body: { preferences: { [preference]: { hiddenFor: [...hidden, programId].slice(-maxHidden) } } } }, { onError: showProblem });
  };
  return { isHidden: isHiddenNow || stored.data === undefined || hidden.includes(programId), hide };
}
