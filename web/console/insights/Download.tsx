import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useProgram } from '../../session/program.ts';
import { toCsv } from '../../states/csv.ts';
import { DownloadButton } from '../../states/download-button.tsx';
import { type Insights, metrics } from './insights-types.ts';

/** The most rows that a request returns. */
const maxRows = 500;

/** The rows as a file, including those that the table adds up as others. Amounts are in cents. */
export function Download({ insights }: { insights: Insights }) {
  const { t } = useTranslation('insights');
  const { id: programId } = useProgram();
  const { breakdown, metric, startsOn: from, endsOn: to } = insights;
  const load = async () => {
    const query = { breakdown, metric, from, to, compare: 'none', limit: maxRows } as const;
    const { rows } = await call('metrics.get', { path: { programId }, query });
    const lines = rows.map((row) => [row.value ?? '', row.name ?? '', ...metrics.map((name) => String(row[name]))]);
    return new Blob([toCsv([[breakdown, 'name', ...metrics], ...lines])], { type: 'text/csv' });
  };
  return (
    <DownloadButton name={`insights-${breakdown}-${from}-${to}.csv`} load={load} size="small">
      {t('csv')}
    </DownloadButton>
  );
}
