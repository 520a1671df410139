// Lists of alerts, and reading one.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { AlertKind, AlertShape, AlertStatus, alertSlot, toAlert } from './alert.ts';

export const listAlerts = endpoint({
  id: 'alerts.list',
  route: 'GET /v1/programs/:programId/alerts',
  scope: 'read',
  tag: 'Alerts',
  summary: 'List alerts',
  description:
    'Checked every minute, and invariants every night. An alert is resolved automatically when its condition has ended. Opening one ' +
    'emails the members who can act on it, and records the event `alert.opened`.',
  query: z.object({
    status: oneOf(AlertStatus),
    kind: oneOf(AlertKind),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
  }),
  statuses: [200],
  result: cursorListOf('alerts', AlertShape, 'AlertList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, kind, createdFrom, createdTo, limit, offset } = query;
    let alerts = ctx.db.selectFrom('alerts').where('programId', '=', programId);
    if (status) alerts = alerts.where('status', 'in', status);
    if (kind) alerts = alerts.where('kind', 'in', kind);
    alerts = alerts.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(alerts, query, (found) => found.selectAll());
    return { alerts: rows.map(toAlert), total, limit, offset, nextCursor };
  },
});

export const getAlert = endpoint({
  id: 'alerts.get',
  route: 'GET /v1/programs/:programId/alerts/:id',
  scope: 'read',
  tag: 'Alerts',
  summary: 'Get an alert',
  path: { id: alertSlot },
  statuses: [200],
  result: AlertShape,
  async handle(ctx, { actor: { programId }, params: { id } }) {
    const alerts = ctx.db.selectFrom('alerts').selectAll().where('programId', '=', programId);
    return toAlert(await alerts.where('id', '=', id).executeTakeFirstOrThrow());
  },
});
