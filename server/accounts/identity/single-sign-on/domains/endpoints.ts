// The domains whose users sign in through the organization's provider: adding, changing and removing them.
import { z } from 'zod';
import { endpoint } from '../../../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../../../platform/lib/clock.ts';
import { InvalidState } from '../../../../platform/lib/errors.ts';
import { findConnection, readSingleSignOn, SingleSignOnShape } from '../connection.ts';
import { getManagedOrganization, organizationOwnerRequired, recordInOrganization } from '../organization.ts';
import { DomainField, domainSlot } from './domain.ts';

const maxDomains = 20;

const tooManyDomains = { status: 400, code: 'too_many_domains', when: `The organization has ${maxDomains} domains already.` } as const;
const domainUnverified = {
  status: 400,
  code: 'domain_unverified',
  when: 'Single sign-on can’t be required for a domain that is not verified, or while it is off.',
} as const;

export const addSingleSignOnDomain = endpoint({
  id: 'singleSignOnDomains.add',
  route: 'POST /app/programs/:programId/single-sign-on/domains',
  scope: 'write',
  requires: 'owners.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Single sign-on',
  summary: 'Add a domain',
  description: 'It has no effect until it is verified. Adding it again changes nothing.',
  body: z.object({ domain: DomainField }).meta({ id: 'SingleSignOnDomainAddition', example: { domain: 'fernandfield.example' } }),
  statuses: [200],
  result: SingleSignOnShape,
  errors: [organizationOwnerRequired, tooManyDomains],
  async handle(tx, { actor, body: { domain } }) {
    const organization = await getManagedOrganization(tx, actor);
    const { id: organizationId } = organization;
    const present = await tx.db.selectFrom('singleSignOnDomains').select('domain').where('organizationId', '=', organizationId).execute();
    const isNew = !present.some((each) => each.domain === domain);
    if (isNew && present.length >= maxDomains) throw new InvalidState(tooManyDomains.code, tooManyDomains.when);
    const added = await tx.db
      .insertInto('singleSignOnDomains')
      .values({ organizationId, domain, createdAt: systemTime(tx) })
      .onConflict((conflict) => conflict.columns(['organizationId', 'domain']).doNothing())
      .returning('domain')
      .executeTakeFirst();
    if (added) await recordInOrganization(tx, organization, { actor, action: 'single_sign_on.domain_added', after: { domain } });
    return readSingleSignOn(tx, actor);
  },
});

export const updateSingleSignOnDomain = endpoint({
  id: 'singleSignOnDomains.update',
  route: 'PATCH /app/programs/:programId/single-sign-on/domains/:domain',
  scope: 'write',
  requires: 'owners.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Single sign-on',
  summary: 'Require single sign-on for a domain, or stop requiring it',
  description:
    'While it is required, members with an address of the domain can’t sign in by email or passkey. Owners of a program of the ' +
    'organization still can. Sessions that exist already end within 12 hours.',
  path: { domain: domainSlot },
  body: z.object({ isRequired: z.boolean() }).meta({ id: 'SingleSignOnDomainUpdate', example: { isRequired: true } }),
  statuses: [200],
  result: SingleSignOnShape,
  errors: [organizationOwnerRequired, domainUnverified],
  async handle(tx, { actor, params: { domain }, body: { isRequired } }) {
    const organization = await getManagedOrganization(tx, actor);
    const { id: organizationId } = organization;
    if (isRequired && !(await findConnection(tx, organizationId)))
      throw new InvalidState(domainUnverified.code, 'Set up the provider before single sign-on is required.');
    const changed = await tx.db
      .updateTable('singleSignOnDomains')
      .set({ isRequired })
      .where('organizationId', '=', organizationId)
      .where('domain', '=', domain)
      .where('verifiedAt', 'is not', null)
      .where('isRequired', '<>', isRequired)
      .returning('domain')
      .executeTakeFirst();
    const { domains } = await readSingleSignOn(tx, actor);
    if (isRequired && !domains.some((each) => each.domain === domain && each.verifiedAt !== null))
      throw new InvalidState(domainUnverified.code, 'Verify this domain before single sign-on is required for it.');
    if (changed) {
      const change = { before: { domain, isRequired: !isRequired }, after: { domain, isRequired } };
      await recordInOrganization(tx, organization, { actor, action: 'single_sign_on.domain_updated', ...change });
    }
    return readSingleSignOn(tx, actor);
  },
});

export const removeSingleSignOnDomain = endpoint({
  id: 'singleSignOnDomains.remove',
  route: 'DELETE /app/programs/:programId/single-sign-on/domains/:domain',
  scope: 'write',
  requires: 'owners.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Single sign-on',
  summary: 'Remove a domain',
  description: 'Users with an address of the domain can no longer sign in through the provider. They keep their roles.',
  path: { domain: domainSlot },
  statuses: [200],
  result: SingleSignOnShape,
  errors: [organizationOwnerRequired],
  async handle(tx, { actor, params: { domain } }) {
    const organization = await getManagedOrganization(tx, actor);
    const { id: organizationId } = organization;
    const removed = await tx.db
      .deleteFrom('singleSignOnDomains')
      .where('organizationId', '=', organizationId)
      .where('domain', '=', domain)
      .returning('domain')
      .executeTakeFirst();
    if (removed) {
      const users = tx.db.selectFrom('users').select('id').where('emailKey', 'like', `%@${domain}`);
      const identities = tx.db.deleteFrom('singleSignOnIdentities').where('organizationId', '=', organizationId);
      await identities.where('userId', 'in', users).execute();
      await recordInOrganization(tx, organization, { actor, action: 'single_sign_on.domain_removed', before: { domain } });
    }
    return readSingleSignOn(tx, actor);
  },
});
