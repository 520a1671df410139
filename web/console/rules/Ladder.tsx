// The rules in their order of precedence: for each line of an order, the first one that fits applies.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Rate } from '../../ui/figures/rate.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { affected } from './affected.ts';
import { type Section, toLadder } from './ladder-order.ts';
import { toRateValue } from './rate-value.ts';
import styles from './rules.module.css';
import type { Step } from './steps.gen.ts';

export type ListedRule = Result<'commissionRules.list'>['commissionRules'][number];

type Props = {
  rules: readonly ListedRule[];
  /** The rules that apply to the tested order. */
  applied: ReadonlySet<string>;
};

export function Ladder({ rules, applied }: Props) {
  const { t } = useTranslation('rules');
  return (
    <Stack gap={16}>
      {toLadder(rules).map(({ section, steps }) => (
        <Card key={section} title={t(`section.${section}`)} detail={t(`sectionDetail.${section}`)} isFlush>
          <ol className={styles.ladder}>
            {steps.map(({ step, rules: ofStep }) => (
              <StepRows key={step} section={section} step={step} rules={ofStep} applied={applied} />
            ))}
          </ol>
        </Card>
      ))}
    </Stack>
  );
}

type StepProps = { section: Section; step: Step; rules: readonly ListedRule[]; applied: ReadonlySet<string> };

function StepRows({ section, step, rules, applied }: StepProps) {
  const { t } = useTranslation('rules');
  return (
    <li className={styles.step}>
      <h3 className={styles.stepName}>{t(`ladder.${step}`)}</h3>
      {step === 'coupon' || step === 'override' ? <p className={styles.stepText}>{t(`ladderText.${step}`)}</p> : null}
      {rules.length === 0 ? null : (
        <ul className={styles.stepRules}>
          {rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} isApplied={section !== 'lead' && applied.has(rule.id)} />
          ))}
        </ul>
      )}
    </li>
  );
}

function RuleRow({ rule, isApplied }: { rule: ListedRule; isApplied: boolean }) {
  const { t } = useTranslation('rules');
  const { href, can } = useProgram();
  const value = toRateValue(rule);
  return (
    <li className={styles.rule} data-applied={isApplied || undefined}>
      <div className={styles.text}>
        <div className={styles.name}>
          <Link href={href(`rules?rule=${rule.id}`)}>
            <bdi>{rule.name}</bdi>
          </Link>
        </div>
        <div className={styles.detail}>
          <Scope rule={rule} />
        </div>
        {isApplied ? (
          <Status tone="approved" icon="check">
            {t('applies')}
          </Status>
        ) : null}
      </div>
      <div className={styles.value}>{value === null ? '–' : <Rate value={value} />}</div>
      {can('terms.write') ? <ArchiveButton rule={rule} /> : null}
    </li>
  );
}

/** For whom and what the rule applies, and what limits it. */
function Scope({ rule }: { rule: ListedRule }) {
  const { t } = useTranslation('rules');
  const parts = [
    rule.affiliate?.name ?? rule.group?.name ?? t('everyone'),
    rule.product?.name ?? rule.category,
    rule.trigger === 'every' ? null : t(`sheet.trigger.${rule.trigger}`),
    rule.effectiveStatus === 'effective' ? null : t(`status.${rule.effectiveStatus}`),
    rule.tiers.length > 0 ? t('tiers', { count: rule.tiers.length }) : null,
    rule.conditions.length > 0 ? t('conditions', { count: rule.conditions.length }) : null,
    rule.budgetCents === null ? null : t('sheet.budget'),
  ];
  return <>{parts.filter((part) => part !== null && part !== undefined).join(' · ')}</>;
}

function ArchiveButton({ rule: { id, name } }: { rule: ListedRule }) {
  const { t } = useTranslation('rules');
  const { id: programId } = useProgram();
  const [isAsking, setIsAsking] = useState(false);
  const archive = useAction('commissionRules.update', { invalidates: affected });
  const confirm = () =>
    archive.mutate(
      { path: { programId, id }, body: { status: 'archived' } },
      {
        onSuccess: () => showToast(t('archived', { name })),
        onError: showProblem,
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <>
      <Button size="small" kind="quiet" icon="archive" aria-label={`${t('archive')}: ${name}`} onClick={() => setIsAsking(true)}>
        {t('archive')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('archiveTitle', { name })}
        text={t('archiveText')}
        action={t('archive')}
        isBusy={archive.isPending}
        onConfirm={confirm}
      />
    </>
  );
}
