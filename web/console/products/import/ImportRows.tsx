// What an import does, or would do: counts, and the rows that are rejected, each with its reasons.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { useFaultText } from '../../../ui/form/fault-text.ts';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Status } from '../../../ui/marks/status.tsx';
import styles from '../products.module.css';

type Imported = Result<'products.import'>;

const shownRows = 200;

export function ImportRows({ result }: { result: Imported }) {
  const { t } = useTranslation('products');
  const { language } = useFigures();
  const figure = (count: number) => ({ count, formatted: formatCount(count, language) });
  const { created, updated, unchanged, invalid, rows } = result;
  const rejected = rows.filter(({ status }) => status === 'invalid');
  return (
    <Stack gap={12}>
      <div className={styles.counts} role="status">
        <Status tone="approved" icon="plus">
          {t('import.created', figure(created))}
        </Status>
        <Status tone="approved" icon="edit">
          {t('import.updated', figure(updated))}
        </Status>
        <Status tone="neutral" icon="check">
          {t('import.unchanged', figure(unchanged))}
        </Status>
        <Status tone={invalid > 0 ? 'reversed' : 'neutral'} icon={invalid > 0 ? 'warning' : 'check'}>
          {t('import.invalid', figure(invalid))}
        </Status>
      </div>
      {rejected.length === 0 ? null : <Rejected rows={rejected.slice(0, shownRows)} />}
    </Stack>
  );
}

function Rejected({ rows }: { rows: Imported['rows'] }) {
  const { t } = useTranslation('products');
  const faultText = useFaultText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={styles.rows} tabIndex={0} aria-label={t('import.rejected')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('import.row')}</th>
            <th scope="col">{t('field.externalId')}</th>
            <th scope="col">{t('import.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, externalId, details = [] }) => (
            <tr key={row}>
              <td>{row}</td>
              <td>
                <bdi>{externalId ?? '–'}</bdi>
              </td>
              <td>
                {details.map(({ path, message }) => (
                  <div key={`${path.join('.')} ${message}`}>
                    {path[0] === undefined ? null : <b>{path[0]}: </b>}
                    {faultText(message, String(path.at(-1)))}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
