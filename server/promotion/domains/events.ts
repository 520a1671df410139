import { defineEvent } from '../../messaging/events/define.ts';
import { DomainShape } from './domain.ts';

export const domainVerified = defineEvent({
  type: 'domain.verified',
  object: 'domain',
  data: DomainShape,
  summary: 'The DNS records of a custom domain were found: it is in use.',
  previous: { status: 'pending' },
});
export const domainFailed = defineEvent({
  type: 'domain.failed',
  object: 'domain',
  data: DomainShape,
  summary: 'The DNS records of a custom domain are wrong or disappeared: it is not in use. `problem` says why.',
  previous: { status: 'active' },
});
