// The sheets of the list: inviting and importing. Which one is open is in the URL, so that a link can open it.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../session/program.ts';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { type RawSearch, readOne } from '../../url/url-state.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';

const InviteSheet = onDemand(async () => (await import('./invite/InviteSheet.tsx')).InviteSheet);
const ImportSheet = onDemand(async () => (await import('./import/ImportSheet.tsx')).ImportSheet);

function readSheet(raw: RawSearch): { sheet: 'invite' | 'import' | undefined } {
  return { sheet: readOne(raw, 'sheet', ['invite', 'import']) };
}

export function Sheets() {
  const { t } = useTranslation('affiliate');
  const { can } = useProgram();
  const [{ sheet }, change] = useSearchState(readSheet);
  const canWrite = can('affiliates.write');
  useShortcut({ keys: 'c', label: t('invite.title'), isEnabled: canWrite, run: () => change({ sheet: 'invite' }) });
  if (!canWrite) return null;
  const close = () => change({ sheet: null });
  return (
    <>
      <InviteSheet isOpen={sheet === 'invite'} onClose={close} />
      <ImportSheet isOpen={sheet === 'import'} onClose={close} />
    </>
  );
}
