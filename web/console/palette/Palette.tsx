// The palette (⌘K): go to a screen, run an action, find an affiliate or an order. Its dialog is not part of the first load.
import { useTranslation } from 'react-i18next';
import { useOpenState } from '../../dialog/use-open-state.ts';
import { loadScreenTexts } from '../../locales/load.ts';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { openPalette, paletteState } from './palette-state.ts';

const PaletteDialog = onDemand(async () => {
  const [{ PaletteDialog: Dialog }] = await Promise.all([import('./PaletteDialog.tsx'), loadScreenTexts('palette')]);
  return Dialog;
});

export function Palette() {
  const { t } = useTranslation('shell');
  const isOpen = useOpenState(paletteState);
  useShortcut({ keys: 'mod+k', label: t('shortcuts.palette'), group: 'general', isGlobal: true, run: openPalette });
  return <PaletteDialog isOpen={isOpen} onClose={() => paletteState.set(false)} />;
}
