// The state of the table of affiliates in the URL, by the ids of its filters.
import { days, flag, numbers, someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';

export const statuses = ['pending', 'active', 'suspended', 'rejected', 'archived'] as const;
export const pageStates = ['none', 'draft', 'in_review', 'changes_requested', 'offline', 'live'] as const;

export const affiliateTable = tableState({
  filters: {
    status: someOf('status', statuses),
    group: someOf('groupId'),
    tags: someOf('tags'),
    page: someOf('pageState', pageStates),
    payoutDetails: flag('hasPayoutDetails'),
    invited: flag('wasInvited'),
    joined: days('createdFrom', 'createdTo'),
    lastSale: days('lastSaleFrom', 'lastSaleTo'),
    clicks: numbers('clicksMin', 'clicksMax'),
    conversions: numbers('conversionsMin', 'conversionsMax'),
    sales: numbers('salesCentsMin', 'salesCentsMax'),
    commission: numbers('commissionCentsMin', 'commissionCentsMax'),
    balance: numbers('balanceCentsMin', 'balanceCentsMax'),
    epc: numbers('earningsPerClickCentsMin', 'earningsPerClickCentsMax'),
    conversionRate: numbers('conversionRateMin', 'conversionRateMax'),
  },
  sorts: [
    'createdAt',
    'name',
    'email',
    'status',
    'group',
    'tags',
    'referralCode',
    'vanitySlug',
    'pageState',
    'hasPayoutDetails',
    'clicks',
    'conversions',
    'conversionRate',
    'salesCents',
    'commissionCents',
    'earningsPerClickCents',
    'balanceCents',
    'lastSaleAt',
  ],
});

/** What the API filters affiliates by. */
export type Filter = ReturnType<typeof affiliateTable.toFilter>;
