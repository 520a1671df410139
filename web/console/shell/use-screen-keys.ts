import { useEffect } from 'react';
import { useText } from '../../locales/use-text.ts';
import { useProgram } from '../../session/program.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import { type Screen, screens } from '../screens.ts';
import { addShortcut } from '../shortcuts/registry.ts';

/** The screens of the settings that this user may open. */
export function useOpenSettings(): Screen[] {
  const { can } = useProgram();
  return screens.filter(({ settings, permission }) => settings !== undefined && can(permission));
}

/** The screens of the main navigation that this user may open. */
export function useOpenScreens(): Screen[] {
  const { can } = useProgram();
  return screens.filter(({ navigation, permission }) => navigation !== undefined && can(permission));
}

/** Registers the keys of all screens, e.g. `g a` for the affiliates. */
export function useScreenKeys(): void {
  const text = useText();
  const { href, can } = useProgram();
  const navigate = useNavigate();
  useEffect(() => {
    const added = screens.flatMap(({ keys, title, path, permission }) =>
      keys !== undefined && can(permission)
        ? [addShortcut({ keys, label: text(title), group: 'navigation', run: () => navigate(href(path === '/' ? '' : path)) })]
        : [],
    );
    return () => {
      for (const remove of added) remove();
    };
  }, [text, can, href, navigate]);
}
