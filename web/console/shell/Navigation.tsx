import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useText } from '../../locales/use-text.ts';
import { useProgram } from '../../session/program.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { type NavigationGroup, navigationGroups, type Screen } from '../screens.ts';
import { ReviewBadge } from './ReviewBadge.tsx';
import styles from './shell.module.css';
import { useOpenScreens } from './use-screen-keys.ts';

/** Sections whose entries need no heading: the first screens, and the single entry of the settings. */
const unlabelled: ReadonlySet<NavigationGroup> = new Set(['start', 'setup']);

/** The sections of the navigation, with the screens that the user's role can open. */
export function Navigation() {
  const { t } = useTranslation('shell');
  const open = useOpenScreens();
  return (
    <nav className={styles.navigation} aria-label={t('navigation.label')}>
      {navigationGroups.map((group) => {
        const members = open.filter(({ navigation }) => navigation?.group === group);
        return members.length === 0 ? null : (
          <section key={group} aria-label={t(`navigation.${group}`)}>
            {unlabelled.has(group) ? null : <div className={styles.groupLabel}>{t(`navigation.${group}`)}</div>}
            <ul>
              {members.map((screen) => (
                <li key={screen.id}>
                  <NavigationLink screen={screen} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

/** A link to a screen; the current one, or the one above it, is marked. */
export function NavigationLink({ screen, className = styles.link }: { screen: Screen; className?: string | undefined }) {
  const text = useText();
  const { href } = useProgram();
  const address = href(screen.path === '/' ? '' : screen.path);
  const isCurrent = useIsCurrent(address, screen.path === '/');
  return (
    <Link className={className} href={address} aria-current={isCurrent ? 'page' : undefined} aria-keyshortcuts={screen.keys}>
      {screen.navigation ? <Icon name={screen.navigation.icon} size={18} /> : null}
      <span>{text(screen.title)}</span>
      {screen.id === 'review' ? <ReviewBadge /> : null}
    </Link>
  );
}

function useIsCurrent(address: string, isExact: boolean): boolean {
  const pathname = useRouterState({ select: ({ location }) => location.pathname.replace(/\/$/, '') });
  const current = pathname.startsWith('/console') ? pathname : `/console${pathname}`;
  return current === address || (!isExact && current.startsWith(`${address}/`));
}
