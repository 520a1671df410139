// The sign-ups of a customer, and rejecting one of them.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import styles from './customers.module.css';

type Lead = Result<'leads.list'>['leads'][number];

export function Leads({ customerId }: { customerId: string }) {
  const { t } = useTranslation('customers');
  const { id: programId } = useProgram();
  const read = useRead('leads.list', { path: { programId }, query: { customerId, limit: 50, expand: 'affiliate' } });
  return (
    <section aria-label={t('leads')}>
      <h3 className={styles.title}>{t('leads')}</h3>
      <Loaded read={read} what={t('leads')} skeleton={<SkeletonText lines={2} />}>
        {({ leads }) =>
          leads.length === 0 ? (
            <p className={styles.line}>{t('noLeads')}</p>
          ) : (
            <ul className={styles.list}>
              {leads.map((lead) => (
                <LeadRow key={lead.id} lead={lead} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function LeadRow({ lead }: { lead: Lead }) {
  const { t } = useTranslation('customers');
  const { can } = useProgram();
  const isRejected = lead.status === 'rejected';
  return (
    <li>
      <div className={styles.head}>
        <strong>
          <bdi>{lead.name ?? t('lead.unnamed')}</bdi>
        </strong>
        <Status tone={isRejected ? 'reversed' : 'approved'} icon={isRejected ? 'close' : 'check'}>
          {t(`lead.${lead.status}`)}
        </Status>
        <span className={styles.end}>
          <Money cents={lead.commissionCents - lead.reversedCents} currency={lead.currency} />
        </span>
      </div>
      <div className={styles.head}>
        <span className={styles.line}>
          <bdi>{lead.affiliate?.name}</bdi> · {t(`method.${lead.attribution.method}`)} · <DateTime value={lead.occurredAt} />
        </span>
        {can('commissions.write') && !isRejected ? (
          <span className={styles.end}>
            <RejectButton lead={lead} />
          </span>
        ) : null}
      </div>
      {lead.rejectionNote === null ? null : <blockquote className={styles.note}>{lead.rejectionNote}</blockquote>}
    </li>
  );
}

function RejectButton({ lead }: { lead: Lead }) {
  const { t } = useTranslation('customers');
  const { id: programId } = useProgram();
  const [isAsking, setIsAsking] = useState(false);
  const reject = useAction('leads.reject', { invalidates: ['leads.list', 'customers.get', 'customerTable.list'] });
  const confirm = () =>
    reject.mutate(
      { path: { programId, id: lead.id }, body: {} },
      {
        onSuccess: () => showToast(t('rejected'), { tone: 'success' }),
        onError: (error) => showToast(error.message, { tone: 'error' }),
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <>
      <Button size="small" onClick={() => setIsAsking(true)}>
        {t('reject')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('rejectTitle')}
        text={t('rejectText')}
        action={t('reject')}
        onConfirm={confirm}
      />
    </>
  );
}
