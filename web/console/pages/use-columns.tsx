// The columns and filters of the table of pages.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Status, type Tone } from '../../ui/marks/status.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../ui/table/table-types.ts';

export type ListedPage = Result<'landingPages.list'>['landingPages'][number];
type Decision = NonNullable<ListedPage['decision']>;
type Actor = Decision['decidedBy'];

export const reviewStatuses = ['draft', 'approved', 'changes_requested'] as const satisfies readonly ListedPage['reviewStatus'][];

const marks = {
  live: ['approved', 'check'],
  approved: ['neutral', 'pause'],
  inactive: ['neutral', 'pause'],
  draft: ['pending', 'clock'],
  changes_requested: ['held', 'note'],
} as const satisfies Record<string, readonly [Tone, IconName]>;

export function PageState({ page }: { page: Pick<ListedPage, 'reviewStatus' | 'isLive' | 'affiliateStatus'> }) {
  const { t } = useTranslation('pages');
  const state = stateOf(page);
  const [tone, icon] = marks[state];
  return (
    <Status tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </Status>
  );
}

/** An approved page is offline while it is unpublished, and while its affiliate is not active. */
function stateOf({ reviewStatus, isLive, affiliateStatus }: Pick<ListedPage, 'reviewStatus' | 'isLive' | 'affiliateStatus'>) {
  if (!isLive) return reviewStatus;
  return affiliateStatus === 'active' ? 'live' : 'inactive';
}

/** The name of who wrote or decided something. */
export function useActorName(): (actor: Actor) => string {
  const { t } = useTranslation('pages');
  return ({ kind, name }) => name ?? t(`actor.${kind}`);
}

/** "Approved by Dana Calder". */
export function DecisionText({ decision }: { decision: Decision | null }) {
  const { t } = useTranslation('pages');
  const nameOf = useActorName();
  if (decision === null) return t('undecided');
  return t(`decided.${decision.verdict}`, { name: nameOf(decision.decidedBy) });
}

export function useColumns(): Column<ListedPage>[] {
  const { t } = useTranslation('pages');
  return useMemo(
    () => [
      { id: 'page', header: t('column.page'), width: 200, sort: 'slug', cell: ({ pageTitle }) => pageTitle },
      {
        id: 'affiliate',
        header: t('column.affiliate'),
        width: 170,
        narrow: { rank: 3, below: 'page' },
        cell: ({ affiliateName }) => affiliateName,
      },
      { id: 'state', header: t('column.state'), width: 180, cell: (page) => <PageState page={page} /> },
      { id: 'revision', header: t('column.revision'), width: 100, align: 'end', narrow: { rank: 1 }, cell: ({ revision }) => revision },
      {
        id: 'submitted',
        header: t('column.submitted'),
        width: 150,
        sort: 'updatedAt',
        sortFirst: 'descending',
        cell: ({ submittedAt }) => <DateTime value={submittedAt} />,
      },
      {
        id: 'decision',
        header: t('column.decision'),
        width: 300,
        narrow: { rank: 2 },
        cell: ({ decision }) => <DecisionText decision={decision} />,
      },
    ],
    [t],
  );
}

export function useFilterDefinitions(): FilterDefinition[] {
  const { t } = useTranslation('pages');
  return useMemo(
    () => [
      {
        id: 'reviewStatus',
        label: t('column.state'),
        kind: 'options',
        options: reviewStatuses.map((value) => ({ value, label: t(`filter.${value}`) })),
      },
    ],
    [t],
  );
}

export function PagePhoneRow({ row }: { row: ListedPage }) {
  return (
    <PhoneRow
      title={row.pageTitle}
      state={<PageState page={row} />}
      detail={row.affiliateName}
      amount={<DateTime value={row.submittedAt} />}
    />
  );
}
