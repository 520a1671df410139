// The disputes of an order: what the buyer's bank reclaims, how each one ended, and the decision that is still missing.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { Card, RowList } from '../../../../ui/layout/card.tsx';
import { Row, Text } from '../../../../ui/layout/stack.tsx';
import { Status } from '../../../../ui/marks/status.tsx';
import { onDemand } from '../../../../ui/overlay/on-demand.tsx';
import styles from '../order.module.css';
import type { Explanation } from '../say.ts';
import type { Dispute, DisputeReport } from './dispute.ts';

const DisputeSheet = onDemand(async () => (await import('./DisputeSheet.tsx')).DisputeSheet);
const marks = { opened: ['held', 'gate'], won: ['approved', 'check'], lost: ['reversed', 'ebb'] } as const;

/** The statuses that can follow a status: a final one never returns to `opened`, but banks do revise an outcome. */
const outcomes = { opened: ['won', 'lost'], won: ['lost'], lost: ['won'] } as const;

export function Disputes({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation('disputes');
  const { id: programId, can } = useProgram();
  const [report, setReport] = useState<DisputeReport | null>(null);
  const { conversionId } = explanation;
  const { data } = useRead('disputes.list', { path: { programId }, query: { conversionId, limit: 50, sort: 'createdAt' } });
  const canWrite = can('conversions.write');
  const disputes = data?.disputes ?? [];
  const open = canWrite ? (
    <Button size="small" onClick={() => setReport({ dispute: null, status: 'opened' })}>
      {t('record')}
    </Button>
  ) : undefined;
  return (
    <Card title={t('title')} isFlush actions={open}>
      {data !== undefined && disputes.length === 0 ? <p className={styles.none}>{t('none')}</p> : null}
      <RowList>
        {disputes.map((dispute) => (
          <DisputeRow key={dispute.id} dispute={dispute} onReport={canWrite ? setReport : undefined} />
        ))}
      </RowList>
      <DisputeSheet
        key={`${report?.dispute?.id} ${report?.status}`}
        isOpen={report !== null}
        report={report ?? { dispute: null, status: 'opened' }}
        explanation={explanation}
        onClose={() => setReport(null)}
      />
    </Card>
  );
}

type RowProps = { dispute: Dispute; onReport: ((report: DisputeReport) => void) | undefined };

function DisputeRow({ dispute, onReport }: RowProps) {
  const { t } = useTranslation('disputes');
  const { disputeId, status, amountCents, currency, createdAt, updatedAt } = dispute;
  const [tone, icon] = marks[status];
  return (
    <li className={styles.row}>
      <span className={styles.rowText}>
        <span>
          <Status tone={tone} icon={icon}>
            {t(`status.${status}`)}
          </Status>
        </span>
        <Text tone="ink-3" size="small">
          {disputeId} · <DateTime value={status === 'opened' ? createdAt : updatedAt} as="exact" />
        </Text>
        <Text tone="ink-3" size="small">
          {t(`effect.${status}`)}
        </Text>
        {onReport === undefined ? null : (
          <Row>
            {outcomes[status].map((outcome) => (
              <Button key={outcome} size="small" onClick={() => onReport({ dispute, status: outcome })}>
                {t(`report.${outcome}.button`)}
              </Button>
            ))}
          </Row>
        )}
      </span>
      <span className={styles.rowAmount}>{amountCents === null ? t('wholeOrder') : <Money cents={amountCents} currency={currency} />}</span>
    </li>
  );
}
