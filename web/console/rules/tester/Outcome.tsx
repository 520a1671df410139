// What the tested order earns, and every rule that was considered, in order of precedence.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Tag } from '../../../ui/marks/tag.tsx';
import { formulaText, limitTexts, type Say } from '../../conversions/order/say.ts';
import { useSay } from '../../conversions/order/use-say.ts';
import type { Preview } from './preview.ts';
import styles from './tester.module.css';

type Line = Preview['lines'][number];
type Candidate = Line['candidates'][number];

/** So many rules are shown, even those for others. */
const shownRules = 12;

export function Outcome({ preview }: { preview: Preview }) {
  const { t } = useTranslation('rules');
  const say = useSay(preview.currency);
  const { affiliateId, commissionCents, commissions, currency, lines, signals, warnings } = preview;
  if (affiliateId === null) {
    const [signal] = signals;
    return <Text>{signal ? t('tester.uncredited', { reason: say.t(`signalReason.${signal.outcome}`) }) : t('tester.noAffiliate')}</Text>;
  }
  return (
    <Stack gap={16}>
      <div className={styles.result}>
        <span className={styles.label}>{t('tester.earns')}</span>
        <strong className={styles.amount}>
          <Money cents={commissionCents} currency={currency} />
        </strong>
        {commissions.map((one) => (
          <span key={`${one.level} ${one.step} ${one.ruleId}`} className={styles.formula}>
            {t(one.level === 2 ? 'tester.uplineEarns' : 'tester.affiliateEarns')}: {formulaText(one, say)}
            {limitTexts(one, say).map((text) => ` · ${text}`)} = <Money cents={one.amountCents} currency={currency} />
          </span>
        ))}
        {warnings.map(({ code, message }) => (
          <span key={code} className={styles.formula}>
            {message}
          </span>
        ))}
      </div>
      {lines.map((line) => (
        <Candidates key={line.level} line={line} say={say} />
      ))}
    </Stack>
  );
}

function Candidates({ line: { level, candidates }, say }: { line: Line; say: Say }) {
  const { t } = useTranslation('rules');
  const [showsAll, setShowsAll] = useState(false);
  const current = candidates.filter(({ outcome, isDraft }) => isDraft || outcome !== 'archived');
  const near = current.length <= shownRules ? current : current.filter(({ outcome }) => !outcome.startsWith('other_'));
  const shown = showsAll ? current : near;
  const hidden = current.length - shown.length;
  return (
    <div>
      <h3 className={styles.heading}>{t(level === 2 ? 'tester.uplineRules' : 'tester.affiliateRules')}</h3>
      {current.length === 0 ? (
        <Text size="small">{t('tester.noRules')}</Text>
      ) : (
        <ol className={styles.candidates}>
          {shown.map((candidate) => (
            <CandidateRow key={`${candidate.step} ${candidate.ruleId}`} candidate={candidate} say={say} />
          ))}
        </ol>
      )}
      {hidden > 0 ? (
        <Button size="small" kind="quiet" onClick={() => setShowsAll(true)}>
          {t('tester.more', { count: hidden })}
        </Button>
      ) : null}
    </div>
  );
}

function CandidateRow({ candidate: { step, name, outcome, isDraft }, say }: { candidate: Candidate; say: Say }) {
  const { t } = useTranslation('rules');
  const isApplied = outcome === 'applied';
  const isRule = step !== 'coupon' && step !== 'override';
  return (
    <li className={styles.candidate} data-outcome={isApplied ? 'applied' : outcome === 'outranked' ? 'outranked' : 'excluded'}>
      <Icon name={isApplied ? 'check' : outcome === 'outranked' ? 'arrowDown' : 'minus'} size={16} />
      <span className={styles.candidateText}>
        <span className={styles.candidateName}>
          <bdi>{isRule ? name : t(`ladder.${step}`)}</bdi> {isDraft ? <Tag>{t('tester.draft')}</Tag> : null}
        </span>
        <span className={styles.reason}>
          {isRule ? `${t(`ladder.${step}`)} · ` : ''}
          {say.t(`ruleReason.${outcome}`)}
        </span>
      </span>
    </li>
  );
}
