// Every list of the console that can be exported. A table of the console names its list here.
import { sql } from 'kysely';
import { z } from 'zod';
import { listProviders } from '../../connections/providers/list.ts';
import type { Context } from '../../context.ts';
import { listCommissions } from '../../earning/commissions/list.ts';
import { listOrderTable } from '../../earning/conversions/listing/order-table.ts';
import { listUnattributedOrders } from '../../earning/conversions/unattributed.ts';
import { listCustomerTable } from '../../earning/customers/table.ts';
import { listLeads } from '../../earning/leads/list.ts';
import { listEmails } from '../../messaging/emails/mailbox.ts';
import { filterFields } from '../../partners/affiliates/filter/filter.ts';
import { selectMatches } from '../../partners/affiliates/filter/matches.ts';
import { listGroups } from '../../partners/groups/list.ts';
import { listInvoices } from '../../paying/invoices/list.ts';
import { listBatches } from '../../paying/payouts/batches/list.ts';
import { listPayouts } from '../../paying/payouts/list.ts';
import { listProductTable } from '../../promotion/catalogue/table.ts';
import { listCoupons } from '../../promotion/coupons/list.ts';
import { listLandingPages } from '../../promotion/landing-pages/reviewing/list.ts';
import { listProviderEvents } from '../../stores/inbox/list-events.ts';
import { listAffiliateTable } from '../affiliate-table/list.ts';
import { readRows } from '../affiliate-table/row.ts';
import { listAuditEntries } from '../audit-log/list.ts';
import { type ExportedList, exportedList, type Found, type Reader, type Slice } from './exported-list.ts';

export const exportNames = [
  'affiliates',
  'audit-log',
  'batches',
  'commissions',
  'conversions',
  'coupons',
  'customers',
  'emails',
  'events',
  'groups',
  'invoices',
  'leads',
  'pages',
  'payouts',
  'products',
  'stores',
  'unattributed',
] as const;
export type ExportName = (typeof exportNames)[number];

export const exportedLists: Readonly<Record<ExportName, ExportedList>> = {
  affiliates: exportedList({ name: 'affiliates', list: listAffiliateTable, requires: 'pii.export', readAll: readAffiliates }),
  'audit-log': exportedList({ name: 'audit-log', list: listAuditEntries }),
  batches: exportedList({ name: 'batches', list: listBatches }),
  commissions: exportedList({ name: 'commissions', list: listCommissions }),
  conversions: exportedList({ name: 'conversions', list: listOrderTable }),
  coupons: exportedList({ name: 'coupons', list: listCoupons }),
  customers: exportedList({ name: 'customers', list: listCustomerTable }),
  emails: exportedList({ name: 'emails', list: listEmails }),
  events: exportedList({ name: 'events', list: listProviderEvents }),
  groups: exportedList({ name: 'groups', list: listGroups }),
  invoices: exportedList({ name: 'invoices', list: listInvoices }),
  leads: exportedList({ name: 'leads', list: listLeads }),
  pages: exportedList({ name: 'pages', list: listLandingPages }),
  payouts: exportedList({ name: 'payouts', list: listPayouts }),
  products: exportedList({ name: 'products', list: listProductTable }),
  stores: exportedList({ name: 'stores', list: listProviders }),
  unattributed: exportedList({ name: 'unattributed', list: listUnattributedOrders }),
};

const affiliateFilter = z.object(filterFields);

/** Affiliates in the order in which they joined: their figures change while they are read, so they can't order the file. */
async function readAffiliates(ctx: Context, reader: Reader, slice: Slice): Promise<Found> {
  const match = { ...affiliateFilter.parse(slice.query), programId: reader.programId };
  const { from } = selectMatches(match, { affiliates: true });
  const after = slice.after ?? '00000000-0000-0000-0000-000000000000';
  const { rows } = await sql<{ id: string }>`
    select affiliate.id ${from} and affiliate.id > ${after}::uuid order by affiliate.id limit ${slice.limit}`.execute(ctx.db);
  const ids = rows.map(({ id }) => id);
  return { rows: await readRows(ctx, reader, ids), next: ids.length < slice.limit ? null : (ids.at(-1) ?? null) };
}
