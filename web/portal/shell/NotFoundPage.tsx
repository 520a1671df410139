import { useTranslation } from 'react-i18next';
import { NotFound } from '../../ui/states/problem.tsx';
import styles from './shell.module.css';

/** An unknown address, or a program that the user is not an affiliate of. */
export function NotFoundPage() {
  const { t } = useTranslation('portal');
  return (
    <main className={styles.alone}>
      <NotFound backHref="/portal" backLabel={t('back')} />
    </main>
  );
}

/** An unknown address of a program, inside of its shell. */
export function NotFoundScreen() {
  const { t } = useTranslation('portal');
  return <NotFound backHref="/portal" backLabel={t('back')} />;
}
