// Tells a proxy whether it may obtain a certificate for a host, as `on_demand_tls ask` of Caddy requires.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { NotFound } from '../../platform/lib/errors.ts';

export const checkCertificate = endpoint({
  id: 'domains.checkCertificate',
  route: 'GET /v1/certificate-check',
  scope: 'open',
  tag: 'Domains',
  summary: 'Check whether a host may get a certificate',
  description:
    'For a proxy that obtains certificates when they are first needed, such as Caddy with `on_demand_tls`: 200 for an active custom domain, ' +
    '404 for every other host.',
  query: z.object({ domain: z.string().max(253).describe('The host name.') }),
  statuses: [200],
  result: z.object({ host: z.string() }).meta({ id: 'CertificateCheck', example: { host: 'go.fernandfield.example' } }),
  errors: [{ status: 404, code: 'not_found', when: 'The host is not an active custom domain.' }],
  async handle({ db }, { query: { domain } }) {
    const hosts = db.selectFrom('programHosts').select('host').where('host', '=', domain.toLowerCase()).where('isActive', '=', true);
    const found = await hosts.executeTakeFirst();
    if (!found) throw new NotFound();
    return found;
  },
});
