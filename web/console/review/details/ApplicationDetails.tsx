// An application: who applies, with what, and the group that approving puts them in.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { fullName } from '../../../ui/figures/full-name.ts';
import { Select } from '../../../ui/form/select.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Tag } from '../../../ui/marks/tag.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { ApplicationFacts } from '../../affiliates/application/ApplicationFacts.tsx';
import { kindOf } from '../kind-of.ts';
import styles from '../review.module.css';
import type { DetailsProps } from '../use-queue.ts';
import { Decisions } from './Decisions.tsx';
import { DetailsFrame } from './DetailsFrame.tsx';

export function ApplicationDetails({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId, can, href } = useProgram();
  const read = useRead('affiliates.get', { path: { programId, id: item.id }, query: { expand: 'group,parentAffiliate' } });
  const [groupId, setGroupId] = useState<string | null>(null);
  const decide = useDecide({ item, finish });
  const name = item.title;
  const groups = useRead('groups.list', { path: { programId }, query: { status: ['active'], limit: 200 } });
  const options = groups.data?.groups.map((group) => ({ value: group.id, label: group.name })) ?? [];
  const decisions = (
    <Decisions
      isAllowed={can('affiliates.write')}
      isBusy={decide.isBusy}
      approve={{ label: t('application.approve'), run: () => decide.run('approve', groupId === null ? {} : { groupId }) }}
      reject={{
        label: t('application.reject'),
        prompt: t('application.prompt'),
        help: t('application.promptHelp', { name }),
        submit: t('application.submit'),
        maxLength: 1000,
        run: (note) => decide.run('reject', { note: note || null }),
      }}
    >
      {options.length === 0 ? null : (
        <Select
          label={t('application.approveIn')}
          placeholder={read.data?.group?.name ?? t('application.noGroup')}
          options={options}
          value={groupId}
          onChange={setGroupId}
          canClear
        />
      )}
    </Decisions>
  );
  return (
    <DetailsFrame
      item={item}
      title={name}
      detail={t(`kind.${kindOf(item)}`)}
      actions={<Link href={href(`affiliates/${item.id}`)}>{t('openAffiliate', { name })}</Link>}
      decisions={decisions}
    >
      <Loaded read={read} what={t('whatItem')} skeleton={<SkeletonText lines={8} />}>
        {(affiliate) => <Application affiliate={affiliate} isInvited={item.isInvited} />}
      </Loaded>
    </DetailsFrame>
  );
}

function Application({ affiliate, isInvited }: { affiliate: Result<'affiliates.get'>; isInvited: boolean }) {
  const { t } = useTranslation('review');
  const metadata = Object.entries(affiliate.metadata);
  const rows = [
    { label: t('application.email'), value: affiliate.email },
    { label: t(isInvited ? 'application.invited' : 'application.applied'), value: <DateTime value={affiliate.createdAt} as="exact" /> },
    { label: t('application.group'), value: affiliate.group?.name ?? t('application.noGroup') },
    { label: t('application.code'), value: affiliate.referralCode },
    ...(affiliate.parentAffiliate ? [{ label: t('application.upline'), value: affiliate.parentAffiliate.name }] : []),
    ...(affiliate.tags.length === 0
      ? []
      : [{ label: t('application.tags'), value: affiliate.tags.map((tag) => <Tag key={tag}>{tag}</Tag>) }]),
  ];
  const name = fullName(affiliate);
  return (
    <div className={styles.sheet}>
      <div className={styles.person}>
        <Avatar name={name} size={48} />
        <div>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <span>{affiliate.email}</span>
        </div>
      </div>
      <Facts rows={rows} columns={2} />
      {metadata.length === 0 ? null : <Facts rows={metadata.map(([label, value]) => ({ label, value }))} />}
      {isInvited ? <p className={styles.calm}>{t('application.noAnswers')}</p> : <Answers affiliateId={affiliate.id} />}
    </div>
  );
}

/** What was sent with the join form; affiliates who were invited sent none. */
function Answers({ affiliateId }: { affiliateId: string }) {
  const { t } = useTranslation('review');
  const { id: programId } = useProgram();
  const read = useRead('applications.list', { path: { programId }, query: { affiliateId, limit: 1 } });
  return (
    <div>
      <h3 className={styles.asideTitle}>{t('application.answers')}</h3>
      <Loaded read={read} what={t('application.whatAnswers')} skeleton={<SkeletonText lines={4} />}>
        {({ applications: [application], total }) =>
          application === undefined ? (
            <p className={styles.calm}>{t('application.noAnswers')}</p>
          ) : (
            <ApplicationFacts application={application} total={total} />
          )
        }
      </Loaded>
    </div>
  );
}

type Extra = { note?: string | null; groupId?: string };

function useDecide({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId } = useProgram();
  const action = useAction('affiliates.decide');
  const undo = useAction('affiliateChangeSets.undo');
  const run = (decision: 'approve' | 'reject', extra: Extra) =>
    action.mutate(
      { path: { programId, id: item.id }, body: { decision, ...extra } },
      {
        onSuccess: ({ changeSetId }) =>
          finish(item, {
            text: t(`application.done.${decision}`, { title: item.title }),
            undo: () => undo.mutateAsync({ path: { programId, id: changeSetId } }),
          }),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  return { run, isBusy: action.isPending };
}
