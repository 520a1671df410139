// What keeps orders from being converted, and what to do about it.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { DateTime, Day } from '../../../ui/figures/date-time.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import styles from './exchange-rates.module.css';

type Status = Result<'exchangeRates.status'>;

export function StatusNotices({ status }: { status: Status }) {
  const { t } = useTranslation('exchange-rates');
  const { currency, source, isQuotedByEcb, lastQuotedOn, lastStoredAt } = status;
  return (
    <Stack gap={12}>
      {source === 'ecb' && !isQuotedByEcb ? (
        <Notice tone="error" icon="warning" title={t('notQuoted.title', { currency })}>
          {t('notQuoted.text', { currency })}
        </Notice>
      ) : null}
      <Waiting status={status} />
      {source !== 'off' && lastQuotedOn !== null && lastStoredAt !== null ? (
        <Text>
          {t('last')} <Day value={lastQuotedOn} /> · <DateTime value={lastStoredAt} />
        </Text>
      ) : null}
    </Stack>
  );
}

function Waiting({ status: { source, waitingOrders, missing } }: { status: Status }) {
  const { t } = useTranslation('exchange-rates');
  if (waitingOrders === 0) return source === 'off' ? null : <Text>{t('waiting.none')}</Text>;
  return (
    <Notice tone="held" icon="clock" title={t('waiting.title', { count: waitingOrders })}>
      {t('waiting.text')}
      <ul className={styles.missing} aria-label={t('waiting.list')}>
        {missing.map(({ currency, occurredOn, orders }) => (
          <li key={`${currency} ${occurredOn}`}>
            {currency} · <Day value={occurredOn} /> · {t('waiting.orders', { count: orders })}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
