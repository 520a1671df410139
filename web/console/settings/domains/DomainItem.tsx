// One domain: its status, what is wrong, and the DNS records that it needs.
import { useTranslation } from 'react-i18next';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';
import { DomainActions } from './DomainActions.tsx';
import type { Domain } from './domain.ts';
import styles from './domains.module.css';

type DnsRecord = Domain['records'][number];

const tones: Record<Domain['status'], Tone> = { pending: 'pending', active: 'approved', misconfigured: 'held' };
const icons = { pending: 'clock', active: 'check', misconfigured: 'warning' } as const;

export function DomainItem({ domain }: { domain: Domain }) {
  const { t } = useTranslation('domains');
  const { host, purpose, status, problem, isDefault, records, addresses } = domain;
  return (
    <li className={styles.item}>
      <Stack gap={12}>
        <div className={styles.head}>
          <strong className={styles.host}>{host}</strong>
          <Status tone={tones[status]} icon={icons[status]}>
            {t(`status.${status}`)}
          </Status>
          <Text size="small">{t(isDefault ? 'usedFor' : 'meantFor', { purpose: t(`purpose.${purpose}`) })}</Text>
        </div>
        {problem === null ? null : <Text size="small">{t(`problem.${problem}`)}</Text>}
        {status === 'active' ? null : <Records records={records} addresses={addresses} />}
        <DomainActions domain={domain} />
      </Stack>
    </li>
  );
}

type RecordsProps = Pick<Domain, 'records' | 'addresses'>;

function Records({ records, addresses }: RecordsProps) {
  const { t } = useTranslation('domains');
  const isCname = records.some(({ type }) => type === 'CNAME');
  return (
    <Stack gap={8}>
      <Text size="small">{t('records')}</Text>
      <ul className={styles.records}>
        {records.map((record) => (
          <li key={`${record.type} ${record.value}`} className={styles.record}>
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
