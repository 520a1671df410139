// The DNS records that a domain needs, with what was found of each.
import { useTranslation } from 'react-i18next';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Status } from '../../../ui/marks/status.tsx';
import type { Domain } from './domain.ts';
import styles from './domains.module.css';

type DnsRecord = Domain['records'][number];

type Props = {
  records: readonly DnsRecord[];
  /** For a host that can't have a CNAME record. */
  addresses?: readonly string[];
};

export function DnsRecords({ records, addresses = [] }: Props) {
  const { t } = useTranslation('domains');
  const isCname = records.some(({ type }) => type === 'CNAME');
  return (
    <Stack gap={8}>
      <Text size="small">{t('records')}</Text>
      <ul className={styles.records}>
        {records.map((record) => (
          <li key={`${record.type} ${record.name} ${record.value}`} className={styles.record}>
            <Record record={record} />
          </li>
        ))}
      </ul>
      {isCname && addresses.length > 0 ? <Text size="small">{t('withoutCname', { addresses: addresses.join(', ') })}</Text> : null}
    </Stack>
  );
}

const recordStates = {
  correct: { tone: 'approved', icon: 'check' },
  awaited: { tone: 'neutral', icon: 'clock' },
  different: { tone: 'held', icon: 'warning' },
} as const;

function Record({ record: { type, name, value, found, isCorrect } }: { record: DnsRecord }) {
  const { t } = useTranslation('domains');
  const state = isCorrect ? 'correct' : found.length === 0 ? 'awaited' : 'different';
  const { tone, icon } = recordStates[state];
  return (
    <Stack gap={4}>
      <Row>
        <strong>{type}</strong>
        <Status tone={tone} icon={icon}>
          {t(state)}
        </Status>
      </Row>
      <Text size="small">{t('name')}</Text>
      <CopyButton value={name} isMono />
      <Text size="small">{t('value')}</Text>
      <CopyButton value={value} isMono />
      {isCorrect || found.length === 0 ? null : <Text size="small">{t('found', { values: found.join(', ') })}</Text>}
    </Stack>
  );
}
