// The columns and filters of the audit log, and how an actor is named.
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../../ui/table/table-types.ts';
import { useProgram } from '../../session/program.ts';
import styles from './audit-log.module.css';
import { actorKinds } from './view.ts';

export type AuditEvent = Result<'auditEvents.list'>['auditEvents'][number];
type Actor = AuditEvent['actor'];

/** The name of a member, of a command or schedule, or the kind of the actor. */
export function useActorName(): (actor: Actor) => string {
  const { t } = useTranslation('audit');
  const { id: programId } = useProgram();
  const { data } = useRead('members.list', { path: { programId } });
  const names = useMemo(() => new Map(data?.members.map(({ userId, name, email }) => [userId, name || email])), [data]);
  return useCallback(
    ({ kind, id }: Actor) => {
      if (kind === 'user') return names.get(id) ?? t('actor.user');
      return kind === 'command' || kind === 'schedule' ? `${t(`actor.${kind}`)} · ${id}` : t(`actor.${kind}`);
    },
    [names, t],
  );
}

/** The names of the changed fields. */
export function fieldsOf({ before, after }: Pick<AuditEvent, 'before' | 'after'>): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
}

export function useColumns(): Column<AuditEvent>[] {
  const { t } = useTranslation('audit');
  const nameOf = useActorName();
  return useMemo(
    () => [
      { id: 'action', header: t('column.action'), width: 290, cell: ({ action }) => <code className={styles.action}>{action}</code> },
      { id: 'actor', header: t('column.actor'), width: 230, cell: ({ actor }) => nameOf(actor) },
      { id: 'fields', header: t('column.fields'), width: 280, cell: (event) => fieldsOf(event).join(', ') },
      { id: 'network', header: t('column.network'), width: 170, cell: ({ network }) => network ?? '–' },
      {
        id: 'created',
        header: t('column.created'),
        width: 170,
        sort: 'createdAt',
        sortFirst: 'descending',
        cell: ({ createdAt }) => <DateTime value={createdAt} />,
      },
    ],
    [t, nameOf],
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

export function EventPhoneRow({ row: { action, actor, createdAt } }: { row: AuditEvent }) {
  const nameOf = useActorName();
  return <PhoneRow title={action} detail={nameOf(actor)} amount={<DateTime value={createdAt} />} />;
}
