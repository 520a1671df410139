// What the import would do: counts, and the lines that would be rejected, with a file of them to correct.
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../states/download.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Status } from '../../../ui/marks/status.tsx';
import type { Checked } from './checked.ts';
import styles from './import.module.css';
import { toProblemsCsv } from './problems-csv.ts';

export function DryRun({ checked: { valid, existed, rejected, problems } }: { checked: Checked }) {
  const { t } = useTranslation('affiliate');
  const { language } = useFigures();
  const figure = (count: number) => ({ count, formatted: formatCount(count, language) });
  return (
    <div className={styles.dryRun} role="status">
      <div className={styles.counts}>
        <Status tone="approved" icon="check">
          {t('import.valid', figure(valid))}
        </Status>
        <Status tone="neutral" icon="affiliates">
          {t('import.existed', figure(existed))}
        </Status>
        <Status tone={rejected > 0 ? 'reversed' : 'neutral'} icon={rejected > 0 ? 'warning' : 'check'}>
          {t('import.rejected', figure(rejected))}
        </Status>
      </div>
      <Problems problems={problems} />
    </div>
  );
}

/** Lines that were rejected, with the reason. */
export function Problems({ problems }: { problems: Checked['problems'] }) {
  const { t } = useTranslation('affiliate');
  if (problems.length === 0) return null;
  return (
    <div className={styles.problems}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.problemList} tabIndex={0} aria-label={t('import.problems')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('import.line')}</th>
              <th scope="col">{t('field.email')}</th>
              <th scope="col">{t('import.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {problems.slice(0, 100).map(({ line, name, reason }) => (
              <tr key={line}>
                <td>{line}</td>
                <td>{name}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Button
        size="small"
        icon="download"
        onClick={() => saveFile(new Blob([toProblemsCsv(problems)], { type: 'text/csv' }), 'rejected-lines.csv')}
      >
        {t('import.downloadProblems')}
      </Button>
    </div>
  );
}
