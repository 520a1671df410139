// A page: the approved and the current revision, what changed, and the decision on exactly the revision that is shown.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { Decisions } from '../details/Decisions.tsx';
import { DetailsFrame } from '../details/DetailsFrame.tsx';
import type { DetailsProps } from '../use-queue.ts';
import { ChangeList } from './ChangeList.tsx';
import { EmailPreview } from './EmailPreview.tsx';
import { Frames } from './Frames.tsx';

export function PageDetails({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId, can } = useProgram();
  const slug = item.slug ?? '';
  const list = useRead('landingPages.revisions', { path: { programId, slug }, query: { limit: 100 } });
  const current = list.data?.revisions.find(({ isCurrent }) => isCurrent)?.revision;
  const approved = list.data?.revisions.find(({ isApproved }) => isApproved)?.revision ?? null;
  // A revision that is written while this one is read does not take its place automatically.
  const [pinned, setPinned] = useState<number | null>(null);
  if (pinned === null && current !== undefined) setPinned(current);
  const shown = pinned ?? current;
  const review = useReview({ item, finish }, shown);
  const name = item.affiliateName;
  const decisions = (
    <Decisions
      isAllowed={can('pages.review')}
      isBusy={review.isBusy || shown === undefined}
      noteError={review.noteError}
      approve={{ label: t('page.approve'), run: () => review.run('approved', '') }}
      reject={{
        label: t('page.reject'),
        prompt: t('page.prompt', { name }),
        help: t('page.promptHelp', { name }),
        submit: t('page.submit'),
        maxLength: 2000,
        run: (note) => review.run('changes_requested', note),
      }}
      preview={(note) => <EmailPreview slug={slug} note={note} />}
    >
      {current !== undefined && shown !== undefined && current > shown ? (
        <Notice icon="warning" tone="held" title={t('page.stale', { name })}>
          {t('page.staleText', { revision: current })}{' '}
          <Button size="small" onClick={() => setPinned(current)}>
            {t('page.showCurrent', { revision: current })}
          </Button>
        </Notice>
      ) : null}
    </Decisions>
  );
  const detail = shown === undefined ? '' : t('page.revision', { revision: shown });
  const last = approved === null ? t('page.neverApproved') : t('page.approvedRevision', { revision: approved });
  return (
    <DetailsFrame
      item={item}
      title={item.title}
      detail={`${name} · ${detail} · ${last}`}
      aside={shown === undefined ? null : <ChangeList slug={slug} approved={approved} current={shown} />}
      decisions={decisions}
    >
      <Loaded read={list} what={t('whatPage')} skeleton={<SkeletonText lines={12} />}>
        {() => (shown === undefined ? null : <Frames slug={slug} approved={approved} current={shown} />)}
      </Loaded>
    </DetailsFrame>
  );
}

function useReview({ item, finish }: DetailsProps, revision: number | undefined) {
  const { t } = useTranslation('review');
  const { id: programId } = useProgram();
  const action = useAction('landingPages.review');
  const undo = useAction('landingPageReviews.undo');
  const stale = useRead(
    'landingPages.revisions',
    { path: { programId, slug: item.slug ?? '' }, query: { limit: 100 } },
    { enabled: false },
  );
  const run = (verdict: 'approved' | 'changes_requested', note: string) => {
    if (revision === undefined) return;
    action.mutate(
      { path: { programId, slug: item.slug ?? '' }, body: { revision, verdict, note: note || null, seenStatus: 'draft' } },
      {
        onSuccess: ({ reviewId }) =>
          finish(item, {
            text: t(`page.done.${verdict}`, { title: item.title }),
            undo: () => undo.mutateAsync({ path: { programId, id: reviewId } }),
          }),
        onError: (error) => {
          if (error.code === 'already_reviewed') return finish(item, { text: t('page.decided') });
          if (error.status === 412) void stale.refetch();
          else if (error.details.length === 0) showToast(error.message, { tone: 'error' });
        },
      },
    );
  };
  return { run, isBusy: action.isPending, noteError: action.error?.details[0]?.message };
}
