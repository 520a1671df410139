// The list of all shortcuts (`?`). Its dialog is not part of the first load.
import { useTranslation } from 'react-i18next';
import { useOpenState } from '../../dialog/use-open-state.ts';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { openShortcutList, shortcutListState } from './list-state.ts';
import { useShortcut } from './use-shortcut.ts';

const ShortcutDialog = onDemand(async () => (await import('./ShortcutDialog.tsx')).ShortcutDialog);

export function ShortcutList() {
  const { t } = useTranslation('shell');
  const isOpen = useOpenState(shortcutListState);
  useShortcut({ keys: '?', label: t('shortcuts.show'), group: 'general', run: openShortcutList });
  return <ShortcutDialog isOpen={isOpen} onClose={() => shortcutListState.set(false)} />;
}
