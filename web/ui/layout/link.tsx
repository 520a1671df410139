// Links that stay within the app: a plain click is handled by the router, every other click by the browser.
import { type ComponentProps, createContext, type MouseEvent, useContext } from 'react';

/** How the app goes to an address; the browser itself where no router is given. */
export const NavigateContext = createContext<(href: string) => void>((href) => location.assign(href));

/** Goes to an address of the app. */
export function useNavigate(): (href: string) => void {
  return useContext(NavigateContext);
}

type Props = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & {
  href: string;
  /** Takes the place of following the link on a plain click, for example to open a sheet over the list. */
  onFollow?: (() => void) | undefined;
};

/** Middle clicks, modified clicks and the context menu work as for every link. */
export function Link({ href, onFollow, ...rest }: Props) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.defaultPrevented || !isPlain(event) || rest.target === '_blank' || !isOwn(href)) return;
    event.preventDefault();
    if (onFollow) onFollow();
    else navigate(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Pages of the console; everything else (downloads, storefronts, other sites) loads as usual. */
function isOwn(href: string): boolean {
  return /^\/(console|portal)(\/|\?|$)/.test(href) || href.startsWith('?');
}
