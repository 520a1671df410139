// The columns and filters of the audit log.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../../ui/table/table-types.ts';
import { actorKinds } from './audit-table.ts';
import type { AuditEntry } from './entry.ts';
import { Sentence } from './Sentence.tsx';

export function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation('audit');
  return useMemo(
    () => [
      {
        id: 'created',
        header: t('column.created'),
        width: 130,
        sort: 'createdAt',
        sortFirst: 'descending',
        isNameless: true,
        cell: ({ createdAt }) => <DateTime value={createdAt} />,
      },
      { id: 'entry', header: t('column.entry'), width: 400, cell: (entry) => <Sentence entry={entry} /> },
    ],
    [t],
  );
}

/** `actorId` of the URL is offered even if it is not a member any more. */
export function useFilterDefinitions(actorId: string | undefined): FilterDefinition[] {
  const { t } = useTranslation('audit');
  const { id: programId } = useProgram();
  const { data } = useRead('members.list', { path: { programId } });
  return useMemo(() => {
    const members = data?.members.map(({ userId, name, email }) => ({ value: userId, label: name || email })) ?? [];
    const isKnown = actorId === undefined || members.some(({ value }) => value === actorId);
    return [
      {
        id: 'actorId',
        label: t('filter.actor'),
        kind: 'options',
        isSingle: true,
        options: isKnown ? members : [...members, { value: actorId, label: actorId }],
      },
      {
        id: 'actorKind',
        label: t('filter.kind'),
        kind: 'options',
        options: actorKinds.map((value) => ({ value, label: t(`actor.${value}`) })),
      },
      { id: 'created', label: t('column.created'), kind: 'days' },
    ];
  }, [t, data, actorId]);
}

export function EventPhoneRow({ row }: { row: AuditEntry }) {
  return <PhoneRow title={<Sentence entry={row} hasLink={false} />} detail={<DateTime value={row.createdAt} />} />;
}
