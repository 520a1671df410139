// The frame of a program: navigation, program switcher, palette, and the screen. Without a session it leads to the sign-in.
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FreezeBanner, OfflineBanner } from '../../frame/Banners.tsx';
import { useVisitedPage } from '../../frame/use-visited-page.ts';
import { WithoutUser } from '../../frame/WithoutUser.tsx';
import { rememberProgram } from '../../session/last-program.ts';
import { useMe } from '../../session/me.ts';
import { type CurrentProgram, HomeContext, ProgramContext, toCurrentProgram } from '../../session/program.ts';
import { useDensity } from '../../session/use-density.ts';
import { useIsPhone } from '../../ui/layout/use-media.ts';
import { ExportContext } from '../../ui/table/export/export-context.ts';
import { DensityContext } from '../../ui/table/table-types.ts';
import { useExports } from '../exports/use-exports.ts';
import { Palette } from '../palette/Palette.tsx';
import { ShortcutList } from '../shortcuts/ShortcutList.tsx';
import { useShortcutKeys } from '../shortcuts/use-shortcut.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { ShellSkeleton } from './ShellSkeleton.tsx';
import { Sidebar } from './Sidebar.tsx';
import styles from './shell.module.css';
import { TabBar } from './TabBar.tsx';
import { TopBar } from './TopBar.tsx';
import { useScreenKeys } from './use-screen-keys.ts';

/** The route /console/PROGRAM-ID. */
export function Shell() {
  const { programId } = useParams({ strict: false });
  const me = useMe();
  const found = me.data?.programs.find(({ id }) => id === programId);
  const program = useMemo(() => (me.data && found ? toCurrentProgram(found, me.data.user) : null), [me.data, found]);
  if (me.data === undefined) return <WithoutUser error={me.error} onRetry={() => void me.refetch()} skeleton={<ShellSkeleton />} />;
  if (!program) return <NotFoundPage />;
  return (
    <ProgramContext value={program}>
      <HomeContext value={program.href()}>
        <Frame program={program} />
      </HomeContext>
    </ProgramContext>
  );
}

function Frame({ program }: { program: CurrentProgram }) {
  const { t } = useTranslation('shell');
  const isPhone = useIsPhone();
  const { mainRef, startRef } = useVisitedPage();
  const density = useDensity();
  const exports = useExports(program);
  useShortcutKeys();
  useScreenKeys();
  useEffect(() => rememberProgram(program.id), [program.id]);
  return (
    <>
      <span ref={startRef} tabIndex={-1} />
      <a className={styles.skip} href="#main">
        {t('skipToContent')}
      </a>
      <div className={styles.shell}>
        {isPhone ? <TopBar /> : <Sidebar />}
        <main id="main" ref={mainRef} tabIndex={-1} className={styles.main}>
          <OfflineBanner />
          <FreezeBanner />
          <DensityContext value={density}>
            <ExportContext value={exports}>
              <Outlet />
            </ExportContext>
          </DensityContext>
        </main>
        {isPhone ? <TabBar /> : null}
      </div>
      <Palette />
      <ShortcutList />
    </>
  );
}
