// What stopped working: the open alerts, the most urgent first, and those that were resolved last.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Card, RowList } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { type Alert, AlertCard, alertKinds, useAlertTitle } from './AlertCard.tsx';
import styles from './alerts.module.css';

const refreshMs = 30_000;
const maxOpen = 100;
const resolvedCount = 10;

export function Screen() {
  const { t } = useTranslation('alerts');
  const { id: programId, href } = useProgram();
  const query = { status: ['open' as const], sort: 'createdAt' as const, limit: maxOpen };
  const read = useRead('alerts.list', { path: { programId }, query }, { refreshMs, staleMs: 0 });
  return (
    <Page title={t('title')} lede={t('lede')} trail={<Link href={href()}>{t('trail')}</Link>}>
      <Stack gap={20}>
        <Loaded read={read} what={t('what')} skeleton={<Skeleton height={220} shape="block" />}>
          {({ alerts }) => <Open alerts={alerts} />}
        </Loaded>
        <Resolved />
      </Stack>
    </Page>
  );
}

function Open({ alerts }: { alerts: Result<'alerts.list'>['alerts'] }) {
  const { t } = useTranslation('alerts');
  if (alerts.length === 0) return <EmptyState sample="entries" title={t('empty.title')} text={t('empty.text')} />;
  const urgency = ({ kind }: Alert) => alertKinds.indexOf(kind);
  return (
    <Stack gap={16}>
      {alerts
        .toSorted((a, b) => urgency(a) - urgency(b))
        .map((alert) => (
          <AlertCard key={alert.id} alert={alert} />
        ))}
    </Stack>
  );
}

/** The last alerts whose condition has ended. Nothing while there are none, or while they can't be read. */
function Resolved() {
  const { t } = useTranslation('alerts');
  const { id: programId } = useProgram();
  const titleOf = useAlertTitle();
  const query = { status: ['resolved' as const], sort: '-createdAt' as const, limit: resolvedCount };
  const { data } = useRead('alerts.list', { path: { programId }, query }, { refreshMs, staleMs: 0 });
  if (data === undefined || data.alerts.length === 0) return null;
  return (
    <Card title={t('resolved')} isFlush>
      <RowList>
        {data.alerts.map((alert) => (
          <li key={alert.id} className={styles.resolved}>
            <span className={styles.resolvedTitle}>{titleOf(alert)}</span>
            <span className={styles.resolvedTimes}>
              <DateTime value={alert.createdAt} as="exact" /> – <DateTime value={alert.resolvedAt ?? alert.createdAt} as="exact" />
            </span>
          </li>
        ))}
      </RowList>
    </Card>
  );
}
