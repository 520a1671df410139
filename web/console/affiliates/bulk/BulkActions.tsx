// What can be done with the selected affiliates: buttons for the usual changes, a menu for the others.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useIsPhone } from '../../../ui/layout/use-media.ts';
import { Menu, type MenuItem } from '../../../ui/overlay/menu.tsx';
import type { BulkKind } from './bulk-change.ts';

const inMenu = ['reject', 'archive', 'override', 'invitation'] as const;
const inPhoneMenu = ['group', 'tags', ...inMenu] as const;
const icons = { reject: 'close', archive: 'archive', override: 'rules', invitation: 'send', group: 'groups', tags: 'tag' } as const;

type Props = { onChoose: (kind: BulkKind) => void; onExport: () => void };

export function BulkActions({ onChoose, onExport }: Props) {
  const { t } = useTranslation('affiliate-table');
  const { can } = useProgram();
  const isPhone = useIsPhone();
  const others: MenuItem[] = (isPhone ? inPhoneMenu : inMenu).map((kind) => ({
    label: t(`bulk.button.${kind}`),
    icon: icons[kind],
    onSelect: () => onChoose(kind),
  }));
  const download: MenuItem = { label: t('export.selected'), icon: 'download', onSelect: onExport };
  const items = [...(can('affiliates.write') ? others : []), ...(can('pii.export') ? [download] : [])];
  return (
    <>
      {can('affiliates.write') ? (
        <>
          <Button size="small" icon="check" keys="a" onClick={() => onChoose('approve')}>
            {t('bulk.button.approve')}
          </Button>
          <Button size="small" icon="pause" onClick={() => onChoose('suspend')}>
            {t('bulk.button.suspend')}
          </Button>
          {isPhone ? null : (
            <>
              <Button size="small" icon="groups" onClick={() => onChoose('group')}>
                {t('bulk.button.group')}
              </Button>
              <Button size="small" icon="tag" onClick={() => onChoose('tags')}>
                {t('bulk.button.tags')}
              </Button>
            </>
          )}
        </>
      ) : null}
      {items.length === 0 ? null : (
        <Menu
          align="end"
          items={items}
          target={
            <Button size="small" iconAfter="chevronDown">
              {t('bulk.more')}
            </Button>
          }
        />
      )}
    </>
  );
}
