import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from '../../ui/layout/link.tsx';
import { type Screen, screens } from '../screens.ts';
import { useProgram } from '../session/program.ts';
import { addShortcut } from '../shortcuts/registry.ts';

/** The screens of the navigation that this user may open. */
export function useOpenScreens(): Screen[] {
  const { can } = useProgram();
  return screens.filter(({ navigation, permission }) => navigation !== undefined && can(permission));
}

/** Registers the keys of all screens, e.g. `g a` for the affiliates. */
export function useScreenKeys(): void {
  const { t } = useTranslation();
  const { href, can } = useProgram();
  const navigate = useNavigate();
  useEffect(() => {
    const added = screens.flatMap(({ keys, title, path, permission }) =>
      keys !== undefined && can(permission)
        ? [addShortcut({ keys, label: t(title), group: 'navigation', run: () => navigate(href(path === '/' ? '' : path)) })]
        : [],
    );
    return () => {
      for (const remove of added) remove();
    };
  }, [t, can, href, navigate]);
}
