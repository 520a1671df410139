// The frame of an embedded portal: its navigation, the screen, and the way to the full portal.
import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OfflineBanner } from '../../frame/Banners.tsx';
import { useVisitedPage } from '../../frame/use-visited-page.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { useAccount } from '../session/account.ts';
import { NavigationLink } from '../shell/navigation.tsx';
import shell from '../shell/shell.module.css';
import { ProblemNotice } from './EmbedProblem.tsx';
import styles from './embed.module.css';
import { useHasEnded } from './embed.ts';
import { embeddedScreens } from './embedded-screens.ts';

export function EmbedShell() {
  const { t } = useTranslation('portal-embed');
  const { href } = useAccount();
  const { mainRef, startRef } = useVisitedPage();
  if (useHasEnded()) return <ProblemNotice problem="expired" />;
  return (
    <>
      <span ref={startRef} tabIndex={-1} />
      <nav className={styles.navigation} aria-label={t('navigation')}>
        {embeddedScreens.map((screen) => (
          <NavigationLink key={screen.id} screen={screen} className={shell.wideLink} hasIcon={false} />
        ))}
      </nav>
      <main ref={mainRef} tabIndex={-1} className={styles.main}>
        <OfflineBanner />
        <Outlet />
      </main>
      <footer className={styles.footer}>
        <p>{t('fullText')}</p>
        <ButtonLink href={href()} icon="link" isNewTab>
          {t('full')}
        </ButtonLink>
      </footer>
    </>
  );
}
