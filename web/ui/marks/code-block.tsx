import { useTranslation } from 'react-i18next';
import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

/** Code with its title and a button that copies it. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  const { t } = useTranslation('ui');
  return (
    <div>
      <div className={styles.head}>
        <h3 className={styles.label}>{label}</h3>
        <CopyButton value={code} text={t('copy.code')} label={t('copy.codeLabel', { label })} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className={styles.code} tabIndex={0} aria-label={label}>
        <pre className={styles.pre}>{code}</pre>
      </section>
    </div>
  );
}
