// Content for a bounty: where it is, what the affiliate wrote about it, and what approving it costs.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { formatMoney } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from '../review.module.css';
import type { DetailsProps } from '../use-queue.ts';
import { Decisions } from './Decisions.tsx';
import { DetailsFrame } from './DetailsFrame.tsx';
import { useFollowUp } from './use-follow-up.ts';

type Submission = Result<'bountySubmissions.get'>;
type Bounty = Result<'bounties.get'>;

export function ContentDetails({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId, can, href, currency } = useProgram();
  const { language } = useFigures();
  const read = useRead('bountySubmissions.get', { path: { programId, id: item.id }, query: {} });
  const bountyId = read.data?.bountyId ?? '';
  const { data: bounty } = useRead('bounties.get', { path: { programId, id: bountyId } }, { enabled: bountyId !== '' });
  const decide = useDecide({ item, finish });
  const name = item.affiliateName;
  const reward = formatMoney(item.amountCents ?? 0, currency, language);
  const obstacle = bounty && findObstacle(bounty);
  const decisions = (
    <Decisions
      isAllowed={can('claims.decide')}
      isBusy={decide.isBusy || bounty === undefined}
      approve={{
        label: t('content.approve', { reward }),
        obstacle: obstacle ? t(`content.${obstacle}`) : undefined,
        effect: t('content.effect', { name, reward }),
        run: () => decide.run('approved', ''),
      }}
      reject={{
        label: t('content.reject'),
        prompt: t('content.prompt'),
        help: t('content.promptHelp', { name }),
        submit: t('content.submit'),
        maxLength: 2000,
        effect: t('undoable'),
        run: (note) => decide.run('rejected', note),
      }}
    />
  );
  return (
    <DetailsFrame
      item={item}
      title={name}
      detail={t('kind.bounty_submission')}
      actions={<Link href={href(`affiliates/${item.affiliateId}`)}>{t('openAffiliate', { name })}</Link>}
      decisions={decisions}
    >
      <Loaded read={read} what={t('whatItem')} skeleton={<SkeletonText lines={6} />}>
        {(submission) => <Content name={name} submission={submission} bounty={bounty} />}
      </Loaded>
    </DetailsFrame>
  );
}

function findObstacle({ status, rewardCents, budgetCents, spentCents }: Bounty): 'archived' | 'budgetSpent' | null {
  if (status !== 'active') return 'archived';
  return budgetCents !== null && spentCents + rewardCents > budgetCents ? 'budgetSpent' : null;
}

type ContentProps = { name: string; submission: Submission; bounty: Bounty | undefined };

function Content({ name, submission: { url, note, createdAt }, bounty }: ContentProps) {
  const { t } = useTranslation('review');
  const rows = [
    { label: t('content.url'), value: <ContentLink url={url} /> },
    { label: t('content.submitted'), value: <DateTime value={createdAt} as="exact" /> },
    ...useTerms(bounty),
  ];
  return (
    <div className={styles.sheet}>
      <Facts rows={rows} />
      <h3 className={styles.asideTitle}>{t('content.note', { name })}</h3>
      {note ? <blockquote className={styles.quote}>{note}</blockquote> : <p className={styles.calm}>{t('content.noNote')}</p>}
    </div>
  );
}

function useTerms(bounty: Bounty | undefined) {
  const { t } = useTranslation('review');
  if (!bounty) return [];
  const { name, description, rewardCents, budgetCents, spentCents, currency } = bounty;
  return [
    { label: t('content.bounty'), value: name },
    { label: t('content.task'), value: description },
    { label: t('content.reward'), value: <Money cents={rewardCents} currency={currency} /> },
    ...(budgetCents === null
      ? []
      : [{ label: t('content.budget'), value: <Money cents={budgetCents - spentCents} currency={currency} /> }]),
  ];
}

/** Opens in a new tab, without telling the page where it was opened. */
function ContentLink({ url }: { url: string }) {
  return (
    <a className={styles.url} href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  );
}

function useDecide({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId } = useProgram();
  const action = useAction('bountySubmissions.decideLater');
  const followUp = useFollowUp({ item, finish });
  const run = (decision: 'approved' | 'rejected', note: string) =>
    action.mutate(
      { path: { programId, id: item.id }, body: { decision, note: note || null } },
      followUp(t(`content.done.${decision}`, { name: item.affiliateName })),
    );
  return { run, isBusy: action.isPending };
}
