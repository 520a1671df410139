import { useTranslation } from 'react-i18next';
import { useText } from '../../locales/use-text.ts';
import { useMe } from '../../session/me.ts';
import { useProgram } from '../../session/program.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import { useColorScheme } from '../../ui/theme/color-scheme.ts';
import { type Screen, screens } from '../screens.ts';
import { useCurrentShortcuts } from '../shortcuts/use-shortcut.ts';
import type { Entry } from './entries.ts';

const reached = ({ path }: Screen) => !path.includes('$');

/** Screens that the user may open, actions of the current screen, and the user's other programs. */
export function useEntries(): Entry[] {
  const text = useText();
  const { href, can, id: currentId } = useProgram();
  const { data: me } = useMe();
  const navigate = useNavigate();
  const shortcuts = useCurrentShortcuts();
  const theme = useThemeEntry();
  const pages = screens.filter((screen) => reached(screen) && can(screen.permission));
  const others = (me?.programs ?? []).filter(({ id }) => id !== currentId);
  return [
    ...shortcuts
      .filter(({ group }) => group === 'screen')
      .map(({ keys, label, run }): Entry => ({ id: `action:${keys}`, group: 'actions', label, icon: 'command', keys, run })),
    theme,
    ...pages.map(
      ({ id, title, path, keys, keywords, navigation, settings }): Entry => ({
        id: `screen:${id}`,
        group: 'goTo',
        label: text(title),
        icon: navigation?.icon ?? settings?.icon ?? 'arrowRight',
        keys,
        words: keywords ? text(keywords) : '',
        run: () => navigate(href(path === '/' ? '' : path)),
      }),
    ),
    ...others.map(
      ({ id, name, slug }): Entry => ({
        id: `program:${id}`,
        group: 'switchTo',
        label: name,
        detail: slug,
        icon: 'switch',
        run: () => navigate(`/console/${id}`),
      }),
    ),
  ];
}

/** Switches to the other colour scheme. */
function useThemeEntry(): Entry {
  const { t } = useTranslation('shell');
  const { applied, choose } = useColorScheme();
  const other = applied === 'dark' ? 'light' : 'dark';
  return {
    id: 'action:theme',
    group: 'actions',
    label: t(`palette.theme.${other}`),
    icon: other === 'dark' ? 'moon' : 'sun',
    words: t('palette.themeWords'),
    run: () => choose(other),
  };
}
