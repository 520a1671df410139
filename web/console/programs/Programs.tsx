// /console: opens the program that was open last; with several and none remembered, all of them in one table, and what awaits
// a decision in any of them. The names are a part of the first load; figures follow.
import { Navigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { loadFile } from '../../frame/lazy-screen.tsx';
import { WithoutUser } from '../../frame/WithoutUser.tsx';
import { readLastProgram } from '../../session/last-program.ts';
import { type Me, useMe } from '../../session/me.ts';
import { roles } from '../../session/roles.gen.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Link, useNavigate } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { ProgramMark } from '../../ui/marks/avatar.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { TestMark } from '../shell/ProgramSwitcher.tsx';
import { ShellSkeleton } from '../shell/ShellSkeleton.tsx';
import styles from './programs.module.css';

// Few users have programs that will be deleted, and this list is a part of the first load.
const Deletions = lazy(async () => ({ default: (await loadFile(() => import('./Deletions.tsx'))).Deletions }));
const CreateProgram = lazy(async () => ({ default: (await loadFile(() => import('./CreateProgram.tsx'))).CreateProgram }));

const panelId = 'programs-panel';
const views = ['programs', 'review'] as const;

type Props = {
  /** The table of programs. */
  figures: ReactNode;
  /** What awaits a decision in any of them. */
  reviews: ReactNode;
};

export function Programs({ figures, reviews }: Props) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const me = useMe();
  const search = useSearch({ strict: false }) as { all?: string; create?: string; view?: string };
  useEffect(() => {
    document.title = `${t('programs.title')} · ${t('app')}`;
  }, [t]);
  if (me.data === undefined) return <WithoutUser error={me.error} onRetry={() => void me.refetch()} skeleton={<ShellSkeleton />} />;
  const { programs, programDeletions, programOrganizations, affiliateAccounts } = me.data;
  const mayCreate = programOrganizations.length > 0;
  const only = programs.length === 1 ? programs[0] : undefined;
  const last = programs.find(({ id }) => id === readLastProgram());
  const view = views.find((each) => each === search.view) ?? 'programs';
  const target = search.all === undefined ? (last ?? only) : undefined;
  if (programs.length === 0 && programDeletions.length === 0 && !mayCreate && affiliateAccounts.length > 0) return <LeaveForPortal />;
  if (target) return <Navigate to="/$programId" params={{ programId: target.id }} replace />;
  const deletions =
    programDeletions.length === 0 ? null : (
      <Suspense>
        <Deletions deletions={programDeletions} />
      </Suspense>
    );
  return (
    <main className={styles.programs}>
      {programs.length === 0 ? (
        <Page title={t('programs.title')} face="display" width="reading">
          {programDeletions.length === 0 ? (
            <EmptyState
              sample="people"
              title={t('programs.emptyTitle')}
              text={t(mayCreate ? 'programs.emptyCreate' : 'programs.emptyText')}
              actions={mayCreate ? <CreateButton /> : undefined}
            />
          ) : null}
          {deletions}
        </Page>
      ) : (
        <Page
          title={t('programs.title')}
          lede={t(view === 'programs' ? 'programs.lede' : 'programs.reviewLede')}
          face="display"
          width="full"
          hasContours
          actions={mayCreate ? <CreateButton /> : undefined}
        >
          <Stack gap={32}>
            <AllPrograms programs={programs} view={view}>
              {view === 'programs' ? figures : reviews}
            </AllPrograms>
            {deletions}
          </Stack>
        </Page>
      )}
      {search.create !== undefined && mayCreate ? (
        <Suspense>
          <CreateProgram organizations={programOrganizations} programs={programs} onClose={() => navigate('/console?all=1')} />
        </Suspense>
      ) : null}
    </main>
  );
}

type ViewProps = { programs: Me['programs']; view: (typeof views)[number]; children: ReactNode };

/** Until the figures are loaded, the programs can be opened from a list. */
function AllPrograms({ programs, view, children }: ViewProps) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  return (
    <Stack gap={16}>
      <Tabs
        label={t('programs.title')}
        tabs={views.map((id) => ({ id, label: t(`programs.view.${id}`) }))}
        value={view}
        onChange={(next) => navigate(next === 'programs' ? '/console?all=1' : `/console?all=1&view=${next}`)}
        panelId={panelId}
      />
      <div role="tabpanel" id={panelId} aria-label={t(`programs.view.${view}`)}>
        <Suspense fallback={view === 'programs' ? <List programs={programs} /> : <SkeletonText lines={9} />}>{children}</Suspense>
      </div>
    </Stack>
  );
}

function CreateButton() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  return (
    <Button kind="primary" icon="plus" onClick={() => navigate('/console?all=1&create=1')}>
      {t('switcher.create')}
    </Button>
  );
}

/** A user who is only an affiliate has nothing to do here. */
function LeaveForPortal() {
  useEffect(() => location.replace('/portal'), []);
  return <ShellSkeleton />;
}

function List({ programs }: { programs: Me['programs'] }) {
  const { t } = useTranslation('shell');
  return (
    <ul className={styles.list}>
      {programs.map((program) => {
        const role = roles.find((each) => each === program.role);
        return (
          <li key={program.id}>
            <Link href={`/console/${program.id}`} className={styles.program}>
              <ProgramMark name={program.name} logoUrl={program.logoUrl} size={36} />
              <span className={styles.text}>
                <bdi className={styles.name}>{program.name}</bdi>
                <span className={styles.detail}>
                  {role ? t(`role.${role}`) : null} · {program.currency} {program.mode === 'test' ? <TestMark /> : null}
                </span>
              </span>
              <Icon name="chevronRight" size={18} />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
