import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { readSingleSignOn, SingleSignOnShape } from './connection.ts';

export const getSingleSignOn = endpoint({
  id: 'singleSignOn.get',
  route: 'GET /app/programs/:programId/single-sign-on',
  scope: 'read',
  requires: 'owners.write',
  isUserOnly: true,
  tag: 'Single sign-on',
  summary: "Get the organization's single sign-on",
  description: 'The OpenID Connect provider of the organization, which applies to all its programs, and the domains that use it.',
  statuses: [200],
  result: SingleSignOnShape,
  handle: (ctx, { actor }) => readSingleSignOn(ctx, actor),
});
