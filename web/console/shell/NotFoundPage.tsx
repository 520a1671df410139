import { useTranslation } from 'react-i18next';
import { NotFound } from '../../ui/states/problem.tsx';
import styles from './shell.module.css';

/** An unknown address, or a program that the user is not a member of. */
export function NotFoundPage() {
  const { t } = useTranslation('shell');
  return (
    <main className={styles.alone}>
      <NotFound backHref="/console" backLabel={t('notFoundBack')} />
    </main>
  );
}
