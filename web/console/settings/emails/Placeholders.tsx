// What the text of an email can contain: each placeholder is inserted where the text was edited last.
import { useTranslation } from 'react-i18next';
import styles from './emails.module.css';
import type { EmailSetting } from './preview-types.ts';

type Props = { names: EmailSetting['placeholders']; onInsert: (placeholder: string) => void };

export function Placeholders({ names, onInsert }: Props) {
  const { t } = useTranslation('emails');
  return (
    <fieldset className={styles.placeholders}>
      <legend className={styles.placeholdersTitle}>{t('text.placeholders')}</legend>
      {names.map((name) => (
        <button key={name} type="button" className={styles.placeholder} onClick={() => onInsert(`{${name}}`)}>
          <code>{`{${name}}`}</code>
          <span>{t(`placeholder.${name}`)}</span>
        </button>
      ))}
    </fieldset>
  );
}
