// Turns single sign-on off.
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { readSingleSignOn, SingleSignOnShape } from './connection.ts';
import { getManagedOrganization, organizationOwnerRequired, recordInOrganization } from './organization.ts';

export const removeSingleSignOn = endpoint({
  id: 'singleSignOn.remove',
  route: 'DELETE /app/programs/:programId/single-sign-on',
  scope: 'write',
  requires: 'owners.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Single sign-on',
  summary: "Turn the organization's single sign-on off",
  description:
    'Members sign in by email or passkey again, and keep their roles. The client secret is erased; verified domains stay, and are no ' +
    'longer required to use single sign-on.',
  statuses: [200],
  result: SingleSignOnShape,
  errors: [organizationOwnerRequired],
  async handle(tx, { actor }) {
    const organization = await getManagedOrganization(tx, actor);
    const { id } = organization;
    const removed = await tx.db
      .deleteFrom('singleSignOnConnections')
      .where('organizationId', '=', id)
      .returning(['issuer', 'clientId'])
      .executeTakeFirst();
    if (removed) {
      await tx.db.updateTable('singleSignOnDomains').set({ isRequired: false }).where('organizationId', '=', id).execute();
      await tx.db.deleteFrom('singleSignOnIdentities').where('organizationId', '=', id).execute();
      await recordInOrganization(tx, organization, { actor, action: 'single_sign_on.removed', before: removed });
    }
    return readSingleSignOn(tx, actor);
  },
});
