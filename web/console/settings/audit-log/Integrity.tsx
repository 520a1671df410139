// Whether the entries are unchanged, as their seals show.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDateTime } from '../../../ui/figures/dates.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Notice } from '../../../ui/states/problem.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import styles from './audit-log.module.css';

/** Verifying reads the whole log, so it isn't repeated while the screen is open. */
const staleMs = 5 * 60_000;

export function Integrity() {
  const { t } = useTranslation('audit');
  const { id: programId } = useProgram();
  const figures = useFigures();
  const { data, error } = useRead('auditEvents.integrity', { path: { programId } }, { staleMs });
  if (error && !data) return null;
  if (!data) return <Skeleton height={64} />;
  const { isValid, sealedAt, sealedEntryCount, newEntryCount } = data;
  if (!isValid)
    return (
      <Notice icon="warning" tone="error" title={t('integrity.broken')}>
        {t('integrity.brokenText')}
      </Notice>
    );
  const fresh = t('integrity.new', { count: newEntryCount, entries: formatCount(newEntryCount, figures.language) });
  if (sealedAt === null)
    return (
      <Notice icon="clock" title={t('integrity.notSealed')}>
        {t('integrity.notSealedText')}
      </Notice>
    );
  return (
    <Notice icon="security" title={t('integrity.verified', { time: formatDateTime(sealedAt, figures) })}>
      <span className={styles.integrity}>
        {t('integrity.verifiedText', { count: sealedEntryCount, entries: formatCount(sealedEntryCount, figures.language) })}{' '}
        {newEntryCount > 0 ? fresh : null}
      </span>
    </Notice>
  );
}
