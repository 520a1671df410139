import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../ui/layout/use-media.ts';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import styles from './shell.module.css';

const lines = ['a', 'b', 'c', 'd', 'e'];

/** The shell while the user is loaded, at its final size. */
export function ShellSkeleton() {
  const { t } = useTranslation('shell');
  const isPhone = useIsPhone();
  return (
    <div className={styles.shell} aria-busy>
      {isPhone ? (
        <div className={styles.topBar} />
      ) : (
        <div className={styles.sidebar} aria-hidden>
          <div className={styles.skeleton}>
            <Skeleton height={36} shape="block" />
            {lines.map((line) => (
              <Skeleton key={line} width="60%" />
            ))}
          </div>
        </div>
      )}
      <main className={styles.main}>
        <h1 className="visually-hidden">{t('loading.label', { what: t('problem.page') })}</h1>
      </main>
    </div>
  );
}
