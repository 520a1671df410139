// Exports the rows of a table: this page, the selected rows, or everything that matches the filters.
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../controls/button.tsx';
import { useFigures } from '../../figures/context.ts';
import { formatCount } from '../../figures/format.ts';
import { Menu, type MenuItem } from '../../overlay/menu.tsx';
import { noSelection, type Selection } from '../table-types.ts';
import { ExportContext, type ExportRequest, type TableExport } from './export-context.ts';

type Props = { exports: TableExport; shown: number; total: number | undefined; selection?: Selection | undefined };

export function ExportMenu({ exports, shown, total = 0, selection = noSelection }: Props) {
  const { t } = useTranslation('table');
  const { language } = useFigures();
  const context = useContext(ExportContext);
  if (!context) return null;
  const start = (rows: ExportRequest['rows'], ids: readonly string[] = []) =>
    context.start({ list: exports.list, query: exports.query, rows, ids });
  const count = (number: number) => ({ count: number, formatted: formatCount(number, language) });
  const selected: MenuItem[] =
    selection.ids.length === 0
      ? []
      : [{ label: t('export.selected', count(selection.ids.length)), onSelect: () => start('selected', selection.ids) }];
  const items: MenuItem[] = [
    { kind: 'label', label: t('export.title') },
    { label: t('export.page', count(shown)), isDisabled: shown === 0, onSelect: () => start('page') },
    ...selected,
    { label: t('export.all', count(total)), isDisabled: total === 0, onSelect: () => start('all') },
    { kind: 'divider' },
    { label: t('export.list'), onSelect: context.openList },
  ];
  return <Menu target={<IconButton icon="download" label={t('export.title')} />} items={items} align="end" />;
}
