// Making a domain the default of its purpose, and deleting one.
import { z } from 'zod';
import { lockPrograms } from '../../accounts/programs/lock-program.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { InvalidState } from '../../platform/lib/errors.ts';
import { DomainShape, domainSlot, getDomain, toDomain } from './domain.ts';
import { chooseDefault, makeDefault, removeHost } from './register.ts';

const domainInactive = { status: 400, code: 'domain_inactive', when: 'The domain is not active.' } as const;

export const updateDomain = endpoint({
  id: 'domains.update',
  route: 'PATCH /v1/programs/:programId/domains/:id',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Domains',
  summary: 'Make a custom domain the default',
  description: 'Addresses of its purpose are built with it from then on. Addresses on other hosts keep working.',
  path: { id: domainSlot },
  body: z
    .object({ isDefault: z.literal(true, { error: 'must be true: another domain becomes the default instead' }).optional() })
    .meta({ id: 'DomainUpdate', example: { isDefault: true } }),
  statuses: [200],
  result: DomainShape,
  errors: [domainInactive],
  async handle(tx, { actor, params: { id }, body: { isDefault } }) {
    const { programId } = actor;
    await lockPrograms(tx, [programId]);
    const domain = await getDomain(tx, programId, id);
    if (!isDefault || domain.isDefault) return toDomain(tx, domain);
    if (domain.status !== 'active') throw new InvalidState(domainInactive.code, 'Only an active domain can be the default.');
    const { host, purpose } = domain;
    await makeDefault(tx, { programId, domainId: id, purpose });
    await tx.db
      .updateTable('domains')
      .set({ updatedAt: systemTime(tx) })
      .where('programId', '=', programId)
      .where('id', '=', id)
      .execute();
    const before = { host, isDefault: false };
    await recordChange(tx, { programId, actor, action: 'domain.updated', subjectId: id, before, after: { host, isDefault } });
    return toDomain(tx, await getDomain(tx, programId, id));
  },
});

export const deleteDomain = endpoint({
  id: 'domains.delete',
  route: 'DELETE /v1/programs/:programId/domains/:id',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Domains',
  summary: 'Delete a custom domain',
  description: 'Addresses on it stop working. Those on the address of the installation continue to work.',
  path: { id: domainSlot },
  statuses: [200],
  result: DomainShape,
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    await lockPrograms(tx, [programId]);
    const domain = await getDomain(tx, programId, id);
    const { host, purpose, status } = domain;
    await removeHost(tx, programId, id);
    await tx.db.deleteFrom('domains').where('programId', '=', programId).where('id', '=', id).execute();
    await chooseDefault(tx, programId, purpose);
    await recordChange(tx, { programId, actor, action: 'domain.deleted', subjectId: id, before: { host, purpose, status } });
    return toDomain(tx, domain);
  },
});
