import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { HomeContext } from '../../session/program.ts';
import { NotFound } from '../../ui/states/problem.tsx';
import styles from './shell.module.css';

/** An unknown address, or a program that the user is not a member of. */
export function NotFoundPage() {
  return (
    <main className={styles.alone}>
      <NotFoundScreen />
    </main>
  );
}

/** An unknown address of a program, inside of its shell. */
export function NotFoundScreen() {
  const { t } = useTranslation('shell');
  const home = useContext(HomeContext);
  return <NotFound backHref={home} backLabel={t('notFoundBack')} />;
}
