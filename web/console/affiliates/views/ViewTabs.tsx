// Saved views as tabs: those that every program has, then the user's own and shared ones. Changed filters can be saved.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { dayOf } from '../../../ui/figures/days.ts';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { Menu } from '../../../ui/overlay/menu.tsx';
import type { TableView } from '../../../ui/table/table-types.ts';
import type { RawSearch } from '../../../url/url-state.ts';
import { affiliateTable } from '../affiliate-table.ts';
import { builtInViews, filtersOf, matchingView } from './built-in.ts';
import { SaveView } from './SaveView.tsx';
import { useSavedViews } from './use-saved-views.ts';

type Props = { view: TableView; chosen: string | null; onChoose: (view: TableView, id: string | null) => void };

const screen = 'affiliates';

export function ViewTabs({ view, chosen, onChoose }: Props) {
  const { t } = useTranslation('affiliate-table');
  const { timezone } = useProgram();
  const { now } = useFigures();
  const today = dayOf(now, timezone);
  const { saved, deleteView } = useSavedViews(screen);
  const [isSaving, setIsSaving] = useState(false);
  const own = saved.find(({ id }) => id === chosen);
  const value = own?.id ?? (view.search === '' ? matchingView(view.filters, today) : null) ?? 'custom';
  const choose = (id: string) => {
    const builtIn = builtInViews.find((each) => each === id);
    if (builtIn) return onChoose({ ...view, search: '', filters: filtersOf(builtIn, today), page: 0 }, null);
    const state = saved.find((each) => each.id === id)?.state;
    if (state) onChoose({ ...affiliateTable.read(state.query as RawSearch), page: 0, pageSize: view.pageSize }, id);
  };
  const tabs = [
    ...builtInViews.map((id) => ({ id, label: t(`view.${id}`) })),
    ...saved.map(({ id, name }) => ({ id, label: name })),
    ...(value === 'custom' ? [{ id: 'custom', label: t('view.custom') }] : []),
  ];
  const items = [
    {
      label: t('view.delete', { name: own?.name ?? '' }),
      icon: 'trash' as const,
      onSelect: () => deleteView(own?.id ?? ''),
    },
  ];
  const after =
    value === 'custom' ? (
      <Button size="small" kind="quiet" icon="plus" onClick={() => setIsSaving(true)}>
        {t('view.save')}
      </Button>
    ) : own?.isOwn ? (
      <Menu align="end" target={<IconButton icon="more" size="small" label={t('view.actions')} />} items={items} />
    ) : undefined;
  return (
    <>
      <Tabs label={t('view.label')} tabs={tabs} value={value} onChange={choose} after={after} />
      <SaveView
        isOpen={isSaving}
        onClose={() => setIsSaving(false)}
        screen={screen}
        query={toQuery(view)}
        onSaved={(id) => onChoose(view, id)}
      />
    </>
  );
}

/** The parameters of the URL that a saved view restores. */
function toQuery(view: TableView): Record<string, string | readonly string[]> {
  const patch = Object.entries(affiliateTable.toPatch({ ...view, page: 0 }));
  return Object.fromEntries(patch.flatMap(([name, value]) => (value === null || name === 'size' ? [] : [[name, value]])));
}
