// The columns of the table of resources.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../session/program.ts';
import { Count } from '../../ui/figures/count.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column } from '../../ui/table/table-types.ts';
import { useGroups } from '../affiliates/use-groups.ts';
import { statuses } from './resource-table.ts';
import { type Kind, kinds, type Resource } from './resource-values.ts';
import styles from './resources.module.css';

const icons: Record<Kind, IconName> = { text: 'note', image: 'image', file: 'download' };

export function ResourceStatus({ status }: Pick<Resource, 'status'>) {
  const { t } = useTranslation('resources');
  return (
    <Status tone={status === 'active' ? 'approved' : 'neutral'} icon={status === 'active' ? 'check' : 'archive'}>
      {t(`status.${status}`)}
    </Status>
  );
}

/** The address of the small picture of an image. */
export function previewOf(programId: string, id: string): string {
  return `/v1/programs/${programId}/resources/${id}/file?format=preview`;
}

function Title({ resource }: { resource: Resource }) {
  const { id: programId } = useProgram();
  const { id, kind, title, version } = resource;
  return (
    <span className={styles.title}>
      <span className={styles.thumbnail}>
        {kind === 'image' ? (
          <img key={version} src={previewOf(programId, id)} alt="" loading="lazy" />
        ) : (
          <Icon name={icons[kind]} size={16} />
        )}
      </span>
      <bdi>{title}</bdi>
    </span>
  );
}

/** The names of the groups that see a resource. */
export function useAudience(): (resource: Pick<Resource, 'groupIds'>) => string {
  const { t, i18n } = useTranslation('resources');
  const names = new Map((useGroups().data?.groups ?? []).map(({ id, name }) => [id, name]));
  const list = new Intl.ListFormat(i18n.language, { type: 'unit' });
  return ({ groupIds }) => {
    if (groupIds.length === 0) return t('everyone');
    const known = groupIds.flatMap((id) => names.get(id) ?? []);
    return known.length === groupIds.length ? list.format(known) : t('groupCount', { count: groupIds.length });
  };
}

/** The name of a language in the user's language. */
export function useLanguageName(): (language: string) => string {
  const { i18n } = useTranslation('resources');
  const names = new Intl.DisplayNames(i18n.language, { type: 'language', fallback: 'code' });
  return (language) => names.of(language) ?? language;
}

export function useColumns(): Column<Resource>[] {
  const { t } = useTranslation('resources');
  const audience = useAudience();
  const nameOf = useLanguageName();
  return [
    { id: 'title', header: t('column.title'), width: 300, sort: 'title', cell: (row) => <Title resource={row} /> },
    { id: 'kind', header: t('column.kind'), width: 100, narrow: { rank: 3 }, cell: ({ kind }) => t(`kind.${kind}`) },
    { id: 'groups', header: t('column.groups'), width: 180, narrow: { rank: 4 }, cell: audience },
    {
      id: 'language',
      header: t('column.language'),
      width: 120,
      narrow: { rank: 2 },
      cell: ({ language }) => (language === null ? '–' : nameOf(language)),
    },
    { id: 'status', header: t('column.status'), width: 130, cell: ({ status }) => <ResourceStatus status={status} /> },
    {
      id: 'position',
      header: t('column.position'),
      width: 100,
      align: 'end',
      sort: 'position',
      narrow: { rank: 1 },
      cell: ({ position }) => <Count value={position} />,
    },
    {
      id: 'createdAt',
      header: t('column.created'),
      width: 140,
      sort: 'createdAt',
      narrow: { rank: 1 },
      cell: ({ createdAt }) => <DateTime value={createdAt} as="date" />,
    },
  ];
}

export function useFilterDefinitions() {
  const { t } = useTranslation('resources');
  return [
    {
      id: 'kind' as const,
      kind: 'options' as const,
      label: t('column.kind'),
      options: kinds.map((value) => ({ value, label: t(`kind.${value}`) })),
    },
    {
      id: 'status' as const,
      kind: 'options' as const,
      label: t('column.status'),
      options: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
    },
  ];
}

export function ResourcePhoneRow({ row }: { row: Resource }) {
  const { t } = useTranslation('resources');
  const audience = useAudience();
  return (
    <PhoneRow
      title={<bdi>{row.title}</bdi>}
      state={<ResourceStatus status={row.status} />}
      detail={`${t(`kind.${row.kind}`)} · ${audience(row)}`}
    />
  );
}
