// The frame of a program: its name, the navigation and the screen. Without a session it leads to the sign-in.
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { OfflineBanner } from '../../frame/Banners.tsx';
import { useVisitedPage } from '../../frame/use-visited-page.ts';
import { WithoutUser } from '../../frame/WithoutUser.tsx';
import { rememberProgram } from '../../session/last-program.ts';
import { useMe } from '../../session/me.ts';
import { HomeContext } from '../../session/program.ts';
import { AccountContext, toCurrentAccount } from '../session/account.ts';
import { Header } from './Header.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { ShellSkeleton } from './ShellSkeleton.tsx';
import styles from './shell.module.css';
import { TabBar } from './TabBar.tsx';
import { useIsWide } from './use-is-wide.ts';

/** The route /portal/PROGRAM-ID. */
export function Shell() {
  const { programId } = useParams({ strict: false });
  const me = useMe();
  const found = me.data?.affiliateAccounts.find((each) => each.programId === programId);
  const account = useMemo(() => (me.data && found ? toCurrentAccount(found, me.data) : null), [me.data, found]);
  if (me.data === undefined) return <WithoutUser error={me.error} onRetry={() => void me.refetch()} skeleton={<ShellSkeleton />} />;
  if (!account) return <NotFoundPage />;
  return (
    <AccountContext value={account}>
      <HomeContext value={account.href()}>
        <Frame programId={account.programId} isView={account.view !== null} />
      </HomeContext>
    </AccountContext>
  );
}

function Frame({ programId, isView }: { programId: string; isView: boolean }) {
  const { t } = useTranslation('shell');
  const isWide = useIsWide();
  const { mainRef, startRef } = useVisitedPage();
  useEffect(() => {
    // A view as an affiliate is not the user's own program.
    if (!isView) rememberProgram(programId, 'portal');
  }, [programId, isView]);
  return (
    <>
      <span ref={startRef} tabIndex={-1} />
      <a className={styles.skip} href="#main">
        {t('skipToContent')}
      </a>
      <Header />
      <main id="main" ref={mainRef} tabIndex={-1} className={styles.main}>
        <OfflineBanner />
        <Outlet />
      </main>
      {isWide ? null : <TabBar />}
    </>
  );
}
