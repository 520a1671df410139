// One domain: its status, what is wrong, and the DNS records that it needs.
import { useTranslation } from 'react-i18next';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';
import { DnsRecords } from './DnsRecords.tsx';
import { DomainActions } from './DomainActions.tsx';
import type { Domain } from './domain.ts';
import styles from './domains.module.css';

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
        {status === 'active' ? null : <DnsRecords records={records} addresses={addresses} />}
        <DomainActions domain={domain} />
      </Stack>
    </li>
  );
}
