// The API keys of a program, for its members. A key can't list keys.
import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { page } from '../../../platform/http/declaration/fields.ts';
import { findPage, listOf, oneOf, sortBy } from '../../../platform/http/declaration/lists.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { findMemberNames, KeyShape, KeyStatus, keySlot, readKey, toKey } from './api-key-shape.ts';

const common = { scope: 'read', requires: 'keys.write', isUserOnly: true, tag: 'API keys', statuses: [200] } as const;

export const listApiKeys = endpoint({
  ...common,
  id: 'apiKeys.list',
  route: 'GET /app/programs/:programId/api-keys',
  summary: 'List the API keys of a program',
  query: z.object({ status: oneOf(KeyStatus), ...page, sort: sortBy('createdAt', 'name') }),
  result: listOf('apiKeys', KeyShape, 'ApiKeyList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, limit, offset } = query;
    const now = systemTime(ctx);
    let keys = ctx.db.selectFrom('apiKeys').where('programId', '=', programId);
    if (status)
      keys = keys.where((where) => {
        const isRevoked = where('revokedAt', 'is not', null);
        const isExpired = where.and([where('revokedAt', 'is', null), where('expiresAt', '<=', now)]);
        const hasNoEnd = where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]);
        const matching = { revoked: isRevoked, expired: isExpired, active: where.and([where('revokedAt', 'is', null), hasNoEnd]) };
        return where.or(status.map((each) => matching[each]));
      });
    const { rows, total } = await findPage(keys, query, (found) => found.selectAll());
    const names = await findMemberNames(ctx, rows);
    return { apiKeys: rows.map((row) => toKey(row, { now, createdBy: names.get(row.userId ?? '') ?? null })), total, limit, offset };
  },
});

export const getApiKey = endpoint({
  ...common,
  id: 'apiKeys.get',
  route: 'GET /app/programs/:programId/api-keys/:id',
  summary: 'Get an API key',
  path: { id: keySlot },
  result: KeyShape,
  handle: (ctx, { actor: { programId }, params: { id } }) => readKey(ctx, programId, id),
});
