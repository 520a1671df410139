// The filters of the table of affiliates. Groups and tags are those of the program.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import type { FilterDefinition } from '../../ui/table/table-types.ts';
import { pageStates, statuses } from './affiliate-table.ts';
import { useGroups } from './use-groups.ts';

const referenceStaleMs = 60_000;

export function useFilterDefinitions(): FilterDefinition[] {
  const { t } = useTranslation('affiliate-table');
  const { id: programId, currency } = useProgram();
  const groups = useGroups().data?.groups;
  const tags = useRead('affiliateTable.tags', { path: { programId } }, { staleMs: referenceStaleMs }).data?.tags;
  return useMemo(() => {
    const flag = [
      { value: 'true', label: t('yes') },
      { value: 'false', label: t('no') },
    ];
    const amounts = ['sales', 'commission', 'balance'] as const;
    const all: FilterDefinition[] = [
      {
        id: 'status',
        label: t('column.status'),
        kind: 'options',
        options: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      {
        id: 'group',
        label: t('column.group'),
        kind: 'options',
        options: (groups ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      { id: 'tags', label: t('column.tags'), kind: 'options', options: (tags ?? []).map(({ tag }) => ({ value: tag, label: tag })) },
      { id: 'joined', label: t('column.joined'), kind: 'days' },
      { id: 'lastSale', label: t('column.lastSale'), kind: 'days' },
      { id: 'clicks', label: t('column.clicks'), kind: 'number' },
      { id: 'conversions', label: t('column.conversions'), kind: 'number' },
      { id: 'conversionRate', label: t('column.conversionRate'), kind: 'number', unit: '%' },
      ...amounts.map((id): FilterDefinition => ({ id, label: t(`column.${id}`), kind: 'amount', currency })),
      { id: 'epc', label: t('column.epc'), kind: 'amount', currency },
      { id: 'page', label: t('column.page'), kind: 'options', options: pageStates.map((value) => ({ value, label: t(`page.${value}`) })) },
      { id: 'payoutDetails', label: t('column.payoutDetails'), kind: 'options', options: flag, isSingle: true },
      { id: 'invited', label: t('column.invited'), kind: 'options', options: flag, isSingle: true },
    ];
    return all.filter((definition) => definition.kind !== 'options' || definition.options.length > 0);
  }, [t, groups, tags, currency]);
}
