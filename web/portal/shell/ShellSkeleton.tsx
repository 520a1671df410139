import { useTranslation } from 'react-i18next';
import styles from './shell.module.css';

/** The shell while the user is loaded, at its final size. */
export function ShellSkeleton() {
  const { t } = useTranslation('shell');
  return (
    <div aria-busy>
      <div className={styles.header}>
        <div className={styles.headerContent} />
      </div>
      <main className={styles.main}>
        <h1 className="visually-hidden">{t('loading.label', { what: t('problem.page') })}</h1>
      </main>
    </div>
  );
}
