// Paying what is due, in three steps: the affiliates, the method, and the confirmation. The batch is sent only if its total is
// the one that was shown; otherwise the sheet says what changed.
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { Stack } from '../../../ui/layout/stack.tsx';
import { announce } from '../../../ui/overlay/announcements.ts';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { Due, DueRow } from '../due/due-groups.ts';
import styles from '../payouts.module.css';
import { ChangedNotice } from './ChangedNotice.tsx';
import { ChooseAffiliates } from './ChooseAffiliates.tsx';
import { ChooseMethod } from './ChooseMethod.tsx';
import { ConfirmStep } from './ConfirmStep.tsx';
import { chosenOf, findChanges } from './changes.ts';
import { cutoffOf, type DispatchChoice, firstChoice, isTooLate } from './choice.ts';

const steps = ['affiliates', 'method', 'confirm'] as const;
type Step = (typeof steps)[number];

type Props = {
  isOpen: boolean;
  onClose: () => void;
  /** The batch was created. */
  onSent: (batchId: string) => void;
};

export function DispatchSheet({ isOpen, onClose, onSent }: Props) {
  useStepUp(isOpen, onClose);
  return isOpen ? <OpenSheet onClose={onClose} onSent={onSent} /> : null;
}

function OpenSheet({ onClose, onSent }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation('payouts');
  const { id: programId } = useProgram();
  const { now, timezone } = useFigures();
  const [step, setStep] = useState<Step>('affiliates');
  const [chosen, setChoice] = useState<DispatchChoice | null>(null);
  const { providerId = null, cutoffDay = null } = chosen ?? {};
  const query = { expand: 'affiliate', providerId: providerId ?? undefined, cutoffAt: cutoffOf(cutoffDay, timezone, now) };
  const read = useRead('payouts.due', { path: { programId }, query }, { staleMs: 0 });
  const choice = chosen ?? firstChoice(read.data?.due ?? []);
  const isReady = !isTooLate(cutoffDay, timezone, now) && chosenOf(read.data?.due ?? [], choice.excepted).rows.length > 0;
  const goTo = (next: Step) => {
    setStep(next);
    announce(t(`dispatch.step.${next}`));
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('dispatch.title')}
      detail={t('dispatch.stepOf', { step: steps.indexOf(step) + 1, name: t(`dispatch.step.${step}`) })}
      hasChanges={chosen !== null}
      footer={step === 'confirm' ? undefined : <Steps step={step} onStep={goTo} isReady={isReady} />}
    >
      <Loaded read={read} what={t('what')} skeleton={<SkeletonText lines={9} />}>
        {(due) =>
          due.due.length === 0 && step === 'affiliates' ? (
            <EmptyState sample={null} title={t('dispatch.noneTitle')} text={t('dispatch.noneText')} />
          ) : (
            <Content
              due={due}
              isLoading={read.isPlaceholderData}
              step={step}
              onStep={goTo}
              choice={choice}
              onChoice={setChoice}
              onSent={onSent}
              reload={() => read.refetch()}
            />
          )
        }
      </Loaded>
    </Sheet>
  );
}

type ContentProps = {
  due: Due;
  /** The amounts of another provider or cutoff are loading. */
  isLoading: boolean;
  step: Step;
  onStep: (step: Step) => void;
  choice: DispatchChoice;
  onChoice: (choice: DispatchChoice) => void;
  onSent: (batchId: string) => void;
  reload: () => Promise<{ data: Due | undefined }>;
};

function Content({ due, isLoading, step, onStep, choice, onChoice, onSent, reload }: ContentProps) {
  // What the user has seen: later amounts are shown as changes, and never sent in its place.
  const terms = `${choice.providerId} ${choice.cutoffDay}`;
  const [seen, setSeen] = useState<{ terms: string; rows: readonly DueRow[] }>({ terms, rows: due.due });
  const hasOtherTerms = seen.terms !== terms;
  if (hasOtherTerms && !isLoading) setSeen({ terms, rows: due.due });
  const changes = hasOtherTerms ? [] : findChanges(seen.rows, due.due);
  const chosen = chosenOf(seen.rows, choice.excepted);
  const top = useRef<HTMLDivElement>(null);
  const accept = () => {
    setSeen({ terms, rows: due.due });
    top.current?.focus();
  };
  return (
    <Stack gap={16}>
      <div ref={top} tabIndex={-1} className={styles.top} />
      {changes.length === 0 ? null : (
        <ChangedNotice
          changes={changes}
          currency={due.currency}
          totalCents={chosenOf(due.due, choice.excepted).totalCents}
          onAccept={accept}
        />
      )}
      {step === 'affiliates' ? <ChooseAffiliates rows={seen.rows} due={due} choice={choice} onChoice={onChoice} /> : null}
      {step === 'method' ? <ChooseMethod due={due} choice={choice} onChoice={onChoice} /> : null}
      {step === 'confirm' ? (
        <ConfirmStep
          chosen={chosen}
          currency={due.currency}
          choice={choice}
          isChanged={changes.length > 0}
          onBack={() => onStep('method')}
          onChanged={() => void reload()}
          onSent={onSent}
        />
      ) : null}
    </Stack>
  );
}

function Steps({ step, onStep, isReady }: { step: Step; onStep: (step: Step) => void; isReady: boolean }) {
  const { t } = useTranslation('payouts');
  return (
    <div className={styles.footer}>
      {step === 'method' ? <Button onClick={() => onStep('affiliates')}>{t('dispatch.back')}</Button> : null}
      <Button kind="primary" disabled={!isReady} onClick={() => onStep(step === 'affiliates' ? 'method' : 'confirm')}>
        {t('dispatch.continue')}
      </Button>
    </div>
  );
}
