// The head of the portal: whose program it is, on wide screens the navigation, and the account.
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadFile } from '../../frame/lazy-screen.tsx';
import { useMe } from '../../session/me.ts';
import { Icon } from '../../ui/icons.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { Menu } from '../../ui/overlay/menu.tsx';
import { useAccount } from '../session/account.ts';
import { NavigationLink, useOpenScreens } from './navigation.tsx';
import styles from './shell.module.css';
import { useAccountItems } from './use-account-items.ts';
import { useIsWide } from './use-is-wide.ts';

// Loaded for members who view the portal as an affiliate.
const ViewBanner = lazy(async () => ({ default: (await loadFile(() => import('./ViewBanner.tsx'))).ViewBanner }));

export function Header() {
  const isWide = useIsWide();
  const { view } = useAccount();
  return (
    <header className={styles.header}>
      <div className={styles.headerContent}>
        <Brand />
        {isWide ? <WideNavigation /> : null}
        <AccountMenu />
      </div>
      {view === null ? null : (
        <Suspense fallback={null}>
          <ViewBanner />
        </Suspense>
      )}
    </header>
  );
}

/** The program's name; with several programs, it opens the others. */
function Brand() {
  const { t } = useTranslation('portal');
  const { data: me } = useMe();
  const { programId, programName, programLogoUrl } = useAccount();
  const accounts = me?.affiliateAccounts ?? [];
  const name = (
    <>
      {programLogoUrl === null ? (
        <Avatar name={programName} size={36} />
      ) : (
        <img className={styles.logo} src={programLogoUrl} alt="" referrerPolicy="no-referrer" />
      )}
      <span className={styles.brandName}>{programName}</span>
    </>
  );
  if (accounts.length < 2) return <bdi className={styles.brand}>{name}</bdi>;
  return (
    <Menu
      target={
        <button type="button" className={styles.brand}>
          <span className="visually-hidden">{t('switcher')} </span>
          {name}
          <Icon name="chevronDown" size={18} />
        </button>
      }
      items={accounts.map((account) => ({
        kind: 'link',
        label: account.programName,
        href: `/portal/${account.programId}`,
        isChecked: account.programId === programId,
      }))}
    />
  );
}

function WideNavigation() {
  const { t } = useTranslation('shell');
  return (
    <nav className={styles.wideNavigation} aria-label={t('navigation.label')}>
      {useOpenScreens()
        .filter(({ place }) => place !== 'menu')
        .map((screen) => (
          <NavigationLink key={screen.id} screen={screen} className={styles.wideLink} hasIcon={false} />
        ))}
    </nav>
  );
}

function AccountMenu() {
  const { t } = useTranslation('shell');
  const { user } = useAccount();
  return (
    <Menu
      align="end"
      target={
        <button type="button" className={styles.user}>
          <span className="visually-hidden">
            {t('user.menu')} <bdi>{user.name || user.email}</bdi>
          </span>
          <Avatar name={user.name || user.email} size={36} />
        </button>
      }
      items={useAccountItems()}
    />
  );
}
