import { useRouterState } from '@tanstack/react-router';
import { useText } from '../../locales/use-text.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { type Screen, screens } from '../screens.ts';
import { useAccount } from '../session/account.ts';

/** The screens that the account's status opens. Home is always there: it shows the status of the account otherwise. */
export function useOpenScreens(): readonly Screen[] {
  const { status } = useAccount();
  return screens.filter(({ path, opensFor }) => path === '/' || opensFor.includes(status));
}

type Props = { screen: Screen; className: string | undefined; hasIcon?: boolean };

/** A link to a screen; the current one is marked. */
export function NavigationLink({ screen, className, hasIcon = true }: Props) {
  const text = useText();
  const { href } = useAccount();
  const address = href(screen.path === '/' ? '' : screen.path);
  const isCurrent = useIsCurrent(address, screen.path === '/');
  return (
    <Link className={className} href={address} aria-current={isCurrent ? 'page' : undefined}>
      {hasIcon ? <Icon name={screen.icon} size={22} /> : null}
      <span>{text(screen.title)}</span>
    </Link>
  );
}

function useIsCurrent(address: string, isExact: boolean): boolean {
  const pathname = useRouterState({ select: ({ location }) => location.pathname.replace(/\/$/, '') });
  const current = pathname.startsWith('/portal') ? pathname : `/portal${pathname}`;
  return current === address || (!isExact && current.startsWith(`${address}/`));
}
