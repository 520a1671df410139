// Adding a custom domain. It has no effect until its DNS records are found.
import { z } from 'zod';
import { lockPrograms } from '../../accounts/programs/lock-program.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { Invalid, InvalidState } from '../../platform/lib/errors.ts';
import { parseHostName } from '../../platform/lib/network/host-name.ts';
import { checkNewDomain } from './check.ts';
import { isOwnHost } from './dns/target.ts';
import { DomainPurpose, DomainShape, getDomain, toDomain } from './domain.ts';

const maxDomains = 20;

const host = z
  .string()
  .max(253)
  .refine((text) => parseHostName(text)?.includes('.') ?? false, { error: 'must be a host name such as go.acme.com' })
  .transform((text) => parseHostName(text) ?? text)
  .meta({ json: { type: 'string', maxLength: 253 } });

export const createDomain = endpoint({
  id: 'domains.create',
  route: 'POST /v1/programs/:programId/domains',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Domains',
  summary: 'Add a custom domain',
  description:
    'Create the DNS records that the response lists. They are checked within a minute, then every five minutes, and less often after ' +
    'a day. The domain is in use once both are correct.',
  body: z
    .object({ host: host.describe('The host name, without scheme, port and path.'), purpose: DomainPurpose.describe('What it is for.') })
    .meta({ id: 'NewDomain', example: { host: 'go.fernandfield.example', purpose: 'links' } }),
  statuses: [201],
  result: DomainShape,
  errors: [
    { status: 400, code: 'too_many_custom_domains', when: `The program has ${maxDomains} domains already.` },
    { status: 409, code: 'domain_exists', when: 'The program has this domain already.' },
  ],
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    if (isOwnHost(tx.config, body.host)) {
      throw new Invalid([{ path: ['host'], message: 'must be a domain of yours, not the address of this installation' }]);
    }
    await lockPrograms(tx, [programId]);
    const present = await tx.db.selectFrom('domains').select('id').where('programId', '=', programId).execute();
    if (present.length >= maxDomains)
      throw new InvalidState('too_many_custom_domains', `The program has ${maxDomains} domains. Delete one first.`);
    const [id, now] = [tx.ids.uuid(), systemTime(tx)];
    const inserted = await tx.db
      .insertInto('domains')
      .values({ ...body, programId, id, status: 'pending', nextCheckAt: now, createdAt: now, updatedAt: now })
      .onConflict((conflict) => conflict.columns(['programId', 'host']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw toConflict('domains_host_unique');
    await recordChange(tx, { programId, actor, action: 'domain.created', subjectId: id, after: body });
    await tx.jobs.enqueue(tx, checkNewDomain, { programId, domainId: id });
    return toDomain(tx, await getDomain(tx, programId, id));
  },
});
