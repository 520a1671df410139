// What is said below a field while typing: restricted phrases, the program's request to change it, its length.
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Icon } from '../../../ui/icons.tsx';
import { useAccount } from '../../session/account.ts';
import { type FieldName, useEditor } from '../editor-context.ts';
import { findRestricted } from '../phrases.ts';
import styles from './fields.module.css';

type Props = { name?: FieldName; text?: string; maxLength?: number; help?: string };

export function FieldHelp({ name, text = '', maxLength, help }: Props) {
  const { language } = useFigures();
  return (
    <span className={styles.helpLines}>
      <span className={styles.helpLine}>
        <span>{help}</span>
        {maxLength === undefined ? null : (
          <span className={styles.counter}>
            {formatCount(text.length, language)} / {formatCount(maxLength, language)}
          </span>
        )}
      </span>
      <RestrictedNote text={text} />
      {name === undefined ? null : <ChangeNote name={name} />}
    </span>
  );
}

/** Names the phrases that the program doesn't allow. */
export function RestrictedNote({ text }: { text: string }) {
  const { t, i18n } = useTranslation('portal-page');
  const { programName: program } = useAccount();
  const { page } = useEditor();
  const found = findRestricted(text, page.restrictedPhrases);
  if (found.length === 0) return null;
  const phrases = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(found.map((phrase) => t('quoted', { text: phrase })));
  return (
    <span className={styles.warning}>
      <Icon name="warning" size={16} />
      <span>{t('restricted', { program, phrases, count: found.length })}</span>
    </span>
  );
}

/** Marks a field that the program asked to change. */
export function ChangeNote({ name }: { name: FieldName }) {
  const { t } = useTranslation('portal-page');
  const { programName: program } = useAccount();
  const { page } = useEditor();
  const changes = page.page?.changes;
  if (!changes?.fields.includes(name)) return null;
  return (
    <span className={styles.warning}>
      <Icon name="note" size={16} />
      <span>{changes.note === null ? t('changes.field', { program }) : t('changes.fieldNote', { program, note: changes.note })}</span>
    </span>
  );
}
