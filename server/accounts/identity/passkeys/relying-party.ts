// The site that passkeys belong to. Browsers accept a domain name with HTTPS, or `localhost`; never an IP address.
import { isIP } from 'node:net';
import type { Config } from '../../../config.ts';
import type { Caller } from '../../../platform/http/declaration/endpoint.ts';

export type RelyingParty = { id: string; origin: string };

type Address = Pick<Config, 'publicUrl'>;

/**
 * The relying party of this service for a request, or null where browsers allow no passkeys: those of the installation don't work
 * on the custom domain of a program.
 */
export function findRelyingParty({ publicUrl }: Address, { headers, site }: Pick<Caller, 'headers' | 'site'>): RelyingParty | null {
  if (site !== null) return null;
  if (publicUrl !== undefined) return toRelyingParty(new URL(publicUrl));
  // Without a public URL the service is for this machine only, under any of its ports.
  const url = URL.parse(`http://${headers.host ?? ''}`);
  return url?.hostname === 'localhost' ? toRelyingParty(url) : null;
}

function toRelyingParty({ protocol, hostname, origin }: URL): RelyingParty | null {
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return null;
  return protocol === 'https:' || hostname === 'localhost' ? { id: hostname, origin } : null;
}
