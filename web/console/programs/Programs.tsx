// /console: opens the program that was open last; with several and none remembered, their list.
import { Navigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { roles } from '../../api/operations.gen.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { readLastProgram } from '../session/last-program.ts';
import { type Me, useMe } from '../session/me.ts';
import { TestMark } from '../shell/ProgramSwitcher.tsx';
import { ShellSkeleton } from '../shell/ShellSkeleton.tsx';
import { WithoutUser } from '../shell/WithoutUser.tsx';
import styles from './programs.module.css';

export function Programs() {
  const { t } = useTranslation('shell');
  const me = useMe();
  const search = useSearch({ strict: false }) as { all?: string };
  useEffect(() => {
    document.title = `${t('programs.title')} · ${t('app')}`;
  }, [t]);
  if (me.data === undefined) return <WithoutUser error={me.error} onRetry={() => void me.refetch()} skeleton={<ShellSkeleton />} />;
  const only = me.data.programs.length === 1 ? me.data.programs[0] : undefined;
  const last = search.all === undefined ? me.data.programs.find(({ id }) => id === readLastProgram()) : undefined;
  const target = last ?? only;
  if (me.data.programs.length === 0 && me.data.affiliateAccounts.length > 0) return <LeaveForPortal />;
  if (target) return <Navigate to="/$programId" params={{ programId: target.id }} replace />;
  return (
    <main className={styles.programs}>
      {me.data.programs.length === 0 ? (
        <Page title={t('programs.title')} width="reading">
          <EmptyState title={t('programs.emptyTitle')} text={t('programs.emptyText')} />
        </Page>
      ) : (
        <Page title={t('programs.title')} lede={t('programs.lede')} width="reading" hasContours>
          <List programs={me.data.programs} />
        </Page>
      )}
    </main>
  );
}

/** A user who is an affiliate alone has nothing to do here. */
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
              <Avatar name={program.name} size={36} />
              <span className={styles.text}>
                <span className={styles.name}>{program.name}</span>
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
