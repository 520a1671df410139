// The columns and filters of the mailbox.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import type { IconName } from '../../../ui/icons.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../../ui/table/table-types.ts';

export type Email = Result<'emails.list'>['emails'][number];

const marks: Record<Email['status'], [tone: Tone, icon: IconName]> = {
  queued: ['pending', 'clock'],
  sent: ['approved', 'check'],
  stored: ['neutral', 'archive'],
  failed: ['reversed', 'warning'],
  unconfirmed: ['held', 'unknown'],
  cancelled: ['neutral', 'close'],
  suppressed: ['neutral', 'pause'],
};

export const emailStatuses = [
  'queued',
  'sent',
  'stored',
  'failed',
  'unconfirmed',
  'cancelled',
  'suppressed',
] as const satisfies readonly Email['status'][];
export const emailKinds = [
  'invitation',
  'approval',
  'decision',
  'page_review',
  'application_received',
  'application_confirmation',
  'first_sale',
  'payout_paid',
  'payout_failed',
  'payout_request',
  'invoice',
  'statement',
  'group_changed',
  'announcement',
  'test',
  'payout_details_changed',
  'tax_form_submitted',
  'postback_disabled',
  'member_invitation',
  'access_request',
  'erasure_request',
  'payout_schedule',
  'setting_change',
  'webhook_disabled',
  'alert',
  'program_deletion',
  'second_factor_changed',
] as const satisfies readonly Email['kind'][];

export function EmailStatus({ status }: { status: Email['status'] }) {
  const { t } = useTranslation('mailbox');
  const [tone, icon] = marks[status];
  return (
    <Status tone={tone} icon={icon}>
      {t(`status.${status}`)}
    </Status>
  );
}

export function useColumns(): Column<Email>[] {
  const { t } = useTranslation('mailbox');
  return useMemo(
    () => [
      { id: 'subject', header: t('column.subject'), width: 240, cell: ({ subject }) => subject },
      { id: 'to', header: t('column.to'), width: 210, narrow: { rank: 2, below: 'subject' }, cell: ({ to }) => to },
      { id: 'kind', header: t('column.kind'), width: 165, narrow: { rank: 1 }, cell: ({ kind }) => t(`kind.${kind}`) },
      { id: 'status', header: t('column.status'), width: 150, cell: ({ status }) => <EmailStatus status={status} /> },
      {
        id: 'created',
        header: t('column.created'),
        width: 130,
        sort: 'createdAt',
        sortFirst: 'descending',
        cell: ({ createdAt }) => <DateTime value={createdAt} />,
      },
    ],
    [t],
  );
}

export function useFilterDefinitions(): FilterDefinition[] {
  const { t } = useTranslation('mailbox');
  return useMemo(
    () => [
      {
        id: 'status',
        label: t('column.status'),
        kind: 'options',
        options: emailStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      { id: 'kind', label: t('column.kind'), kind: 'options', options: emailKinds.map((value) => ({ value, label: t(`kind.${value}`) })) },
    ],
    [t],
  );
}

export function EmailPhoneRow({ row: { subject, to, status, createdAt } }: { row: Email }) {
  return <PhoneRow title={subject} state={<EmailStatus status={status} />} detail={to} amount={<DateTime value={createdAt} />} />;
}
