// The dialog with all shortcuts: what works on this screen, everywhere, and in every table.
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../dialog/Dialog.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { Kbd } from '../../ui/marks/kbd.tsx';
import styles from './shortcuts.module.css';
import { useCurrentShortcuts } from './use-shortcut.ts';

type Line = { keys: string; label: string };

type Props = { isOpen: boolean; onClose: () => void };

export function ShortcutDialog({ isOpen, onClose }: Props) {
  const { t } = useTranslation('shell');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} label={t('shortcuts.title')} place="top">
      <div className={styles.head}>
        <h2>{t('shortcuts.title')}</h2>
        <IconButton icon="close" label={t('shortcuts.close')} onClick={onClose} />
      </div>
      <Lists />
    </Dialog>
  );
}

function Lists() {
  const { t } = useTranslation('shell');
  const current = useCurrentShortcuts();
  const linesOf = (group: string): Line[] => current.filter((each) => each.group === group).reverse();
  const table: Line[] = [
    { keys: '/', label: t('shortcuts.search') },
    { keys: 'f', label: t('shortcuts.filter') },
    { keys: 'j k', label: t('shortcuts.move') },
    { keys: 'enter', label: t('shortcuts.open') },
    { keys: 'x', label: t('shortcuts.select') },
    { keys: '[ ]', label: t('shortcuts.neighbours') },
  ];
  const general: Line[] = [
    ...linesOf('general'),
    { keys: 'mod+s', label: t('shortcuts.save') },
    { keys: 'mod+z', label: t('shortcuts.undo') },
    { keys: 'esc', label: t('shortcuts.close') },
  ];
  return (
    <div className={styles.lists}>
      <Group title={t('shortcuts.screen')} lines={linesOf('screen')} />
      <Group title={t('shortcuts.navigation')} lines={linesOf('navigation')} />
      <Group title={t('shortcuts.general')} lines={general} />
      <Group title={t('shortcuts.table')} lines={table} />
    </div>
  );
}

function Group({ title, lines }: { title: string; lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {lines.map(({ keys, label }) => (
          <div key={`${keys} ${label}`}>
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
              <span className="visually-hidden">{keys}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
