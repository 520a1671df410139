// Verifies a domain by its DNS record. Of two organizations that verify one at the same time, the unique index admits one.
import type { Tx } from '../../../../context.ts';
import { transact } from '../../../../platform/db/transact.ts';
import { endpoint } from '../../../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../../../platform/lib/clock.ts';
import { InvalidState } from '../../../../platform/lib/errors.ts';
import { readSingleSignOn, SingleSignOnShape } from '../connection.ts';
import { getManagedOrganization, organizationOwnerRequired, recordInOrganization } from '../organization.ts';
import { domainSlot } from './domain.ts';
import { isDomainProven, toDomainRecord } from './record.ts';

const recordMissing = { status: 400, code: 'domain_record_missing', when: 'The DNS record of the domain was not found.' } as const;
const domainTaken = {
  status: 409,
  code: 'domain_taken',
  when: 'Another organization of this installation has verified the domain.',
} as const;

export const verifySingleSignOnDomain = endpoint({
  id: 'singleSignOnDomains.verify',
  route: 'POST /app/programs/:programId/single-sign-on/domains/:domain/verify',
  scope: 'write',
  requires: 'owners.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Single sign-on',
  summary: 'Verify a domain',
  description:
    'Reads its DNS record `recordName`. Leave the record in place: it is read again when a person signs in through the provider for ' +
    'the first time.',
  path: { domain: domainSlot },
  statuses: [200],
  result: SingleSignOnShape,
  errors: [organizationOwnerRequired, recordMissing, domainTaken],
  async outside(ctx, { actor, params: { domain } }) {
    const { id } = await getManagedOrganization(ctx, actor);
    if (!(await isDomainProven(ctx, id, domain))) {
      const { recordName, recordValue } = toDomainRecord(id, domain);
      throw new InvalidState(
        recordMissing.code,
        `The TXT record ${recordName} with the value ${recordValue} was not found. A new record can take an hour to appear.`,
      );
    }
    return transact(ctx, async (tx) => {
      const organization = await getManagedOrganization(tx, actor);
      if (await markVerified(tx, organization.id, domain))
        await recordInOrganization(tx, organization, { actor, action: 'single_sign_on.domain_verified', after: { domain } });
      return readSingleSignOn(tx, actor);
    });
  },
});

/** False if it was verified before. The unique index rejects a domain that another organization has verified. */
async function markVerified(tx: Tx, organizationId: string, domain: string): Promise<boolean> {
  const verified = await tx.db
    .updateTable('singleSignOnDomains')
    .set({ verifiedAt: systemTime(tx) })
    .where('organizationId', '=', organizationId)
    .where('domain', '=', domain)
    .where('verifiedAt', 'is', null)
    .returning('domain')
    .executeTakeFirst();
  return verified !== undefined;
}
