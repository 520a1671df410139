// The menu of saved views. A view restores the choices in the URL.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button.tsx';
import { Menu, type MenuItem } from '../../ui/overlay/menu.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import type { RawSearch } from '../../url/url-state.ts';
import { useSavedViews } from '../affiliates/views/use-saved-views.ts';
import { isSameView, toPatch, toView } from './view-state.ts';

const SaveView = onDemand(async () => (await import('../affiliates/views/SaveView.tsx')).SaveView);
const screen = 'insights';

export function Views({ raw, onChange }: { raw: RawSearch; onChange: (patch: Record<string, string | null>) => void }) {
  const { t } = useTranslation('affiliate-table');
  const { saved, deleteView } = useSavedViews(screen);
  const [isSaving, setIsSaving] = useState(false);
  const open = saved.find(({ state }) => isSameView(raw, state.query));
  const items: MenuItem[] = saved.map((view) => ({
    label: view.name,
    isChecked: view === open,
    onSelect: () => onChange(toPatch(view.state.query)),
  }));
  if (items.length > 0) items.push({ kind: 'divider' });
  if (open?.isOwn) items.push({ label: t('view.delete', { name: open.name }), icon: 'trash', onSelect: () => deleteView(open.id) });
  else if (!open) items.push({ label: t('view.save'), icon: 'plus', onSelect: () => setIsSaving(true) });
  return (
    <>
      <Menu target={<Button iconAfter="chevronDown">{open?.name ?? t('view.label')}</Button>} items={items} align="end" />
      <SaveView isOpen={isSaving} onClose={() => setIsSaving(false)} screen={screen} query={toView(raw)} />
    </>
  );
}
