// A claim: what the affiliate states, next to what was found.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Grid } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { Item } from '../kind-of.ts';
import styles from '../review.module.css';
import type { DetailsProps } from '../use-queue.ts';
import { Decisions } from './Decisions.tsx';
import { DetailsFrame } from './DetailsFrame.tsx';
import { useFollowUp } from './use-follow-up.ts';

type Claim = Result<'claims.get'>;

export function ClaimDetails({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId, can, href } = useProgram();
  const read = useRead('claims.get', { path: { programId, id: item.id }, query: {} });
  const decide = useDecide({ item, finish });
  const name = item.affiliateName;
  const canAccept = read.data === undefined || read.data.evidence.match === 'unattributed_order';
  const decisions = (
    <Decisions
      isAllowed={can('claims.decide')}
      isBusy={decide.isBusy || read.data === undefined}
      approve={{
        label: t('claim.approve'),
        obstacle: canAccept ? undefined : t('claim.cannotAccept'),
        effect: t('claim.effect', { name }),
        run: () => decide.run('accepted', ''),
      }}
      reject={{
        label: t('claim.reject'),
        prompt: t('claim.prompt'),
        help: t('claim.promptHelp', { name }),
        submit: t('claim.submit'),
        maxLength: 2000,
        effect: t('undoable'),
        run: (note) => decide.run('rejected', note),
      }}
    />
  );
  return (
    <DetailsFrame
      item={item}
      title={t('claim.order', { orderId: item.title })}
      detail={t('kind.claim')}
      actions={<Link href={href(`affiliates/${item.affiliateId}`)}>{t('openAffiliate', { name })}</Link>}
      decisions={decisions}
    >
      <Loaded read={read} what={t('whatItem')} skeleton={<SkeletonText lines={6} />}>
        {(claim) => <Statement item={item} claim={claim} />}
      </Loaded>
    </DetailsFrame>
  );
}

function Statement({ item, claim }: { item: Item; claim: Claim }) {
  const { t } = useTranslation('review');
  const { match, amountCents, occurredAt, clicksBefore, hasSignal } = claim.evidence;
  const rows = [
    { label: t('claim.match'), value: t(`claim.matches.${match}`) },
    ...(amountCents === null ? [] : [{ label: t('claim.amount'), value: <Money cents={amountCents} currency={claim.currency} /> }]),
    ...(occurredAt === null ? [] : [{ label: t('claim.occurred'), value: <DateTime value={occurredAt} as="exact" /> }]),
    { label: t('claim.clicks'), value: String(clicksBefore) },
    { label: t('claim.signal'), value: hasSignal ? t('claim.yes') : t('claim.no') },
  ];
  return (
    <Grid columns={2}>
      <div className={styles.sheet}>
        <h3 className={styles.asideTitle}>{t('claim.statement', { name: item.affiliateName })}</h3>
        {claim.note ? (
          <blockquote className={styles.quote}>{claim.note}</blockquote>
        ) : (
          <p className={styles.calm}>{t('claim.noStatement')}</p>
        )}
        <p className={styles.calm}>
          {t('since')} <DateTime value={claim.createdAt} />
        </p>
      </div>
      <div className={styles.sheet}>
        <h3 className={styles.asideTitle}>{t('claim.findings')}</h3>
        <Facts rows={rows} />
      </div>
    </Grid>
  );
}

function useDecide({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId } = useProgram();
  const action = useAction('claims.decideLater');
  const followUp = useFollowUp({ item, finish });
  const run = (decision: 'accepted' | 'rejected', note: string) =>
    action.mutate(
      { path: { programId, id: item.id }, body: { decision, note: note || null } },
      followUp(t(`claim.done.${decision}`, { title: item.title })),
    );
  return { run, isBusy: action.isPending };
}
