// /portal: opens the program that was open last, or the only one; with several and none remembered, their list.
import { Navigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { WithoutUser } from '../../frame/WithoutUser.tsx';
import { readLastProgram } from '../../session/last-program.ts';
import { type Me, useMe } from '../../session/me.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ShellSkeleton } from './ShellSkeleton.tsx';
import styles from './shell.module.css';

export function Programs() {
  const { t } = useTranslation('portal');
  const me = useMe();
  const search = useSearch({ strict: false }) as { all?: string };
  useEffect(() => {
    document.title = `${t('programs.title')} · Tributary`;
  }, [t]);
  if (me.data === undefined) return <WithoutUser error={me.error} onRetry={() => void me.refetch()} skeleton={<ShellSkeleton />} />;
  const accounts = me.data.affiliateAccounts;
  const last = search.all === undefined ? accounts.find(({ programId }) => programId === readLastProgram('portal')) : undefined;
  const target = last ?? (accounts.length === 1 ? accounts[0] : undefined);
  if (target) return <Navigate to="/$programId" params={{ programId: target.programId }} replace />;
  return (
    <main className={styles.programs}>
      {accounts.length === 0 ? (
        <Page title={t('programs.title')} width="reading">
          <EmptyState sample="people" title={t('programs.emptyTitle')} text={t('programs.emptyText', { email: me.data.user.email })} />
        </Page>
      ) : (
        <Page title={t('programs.title')} lede={t('programs.lede')} width="reading" hasContours>
          <List accounts={accounts} />
        </Page>
      )}
    </main>
  );
}

function List({ accounts }: { accounts: Me['affiliateAccounts'] }) {
  const { t } = useTranslation('portal');
  return (
    <ul className={styles.list}>
      {accounts.map(({ programId, programName, status }) => (
        <li key={programId}>
          <Link href={`/portal/${programId}`} className={styles.program}>
            <Avatar name={programName} size={40} />
            <span className={styles.programText}>
              <span className={styles.programName}>{programName}</span>
              <span className={styles.programDetail}>{t(`status.${status}.short`)}</span>
            </span>
            <Icon name="chevronRight" size={20} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
