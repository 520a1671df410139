// Finds the site of a host name. Every request needs it, so a result is cached for a second, and the installation's own
// address is never looked up.
import type { Context } from '../../../context.ts';
import { systemTime } from '../../lib/clock.ts';
import { createBatcher } from '../../lib/concurrency/micro-batch.ts';
import { withTimeout } from '../../lib/concurrency/timeout.ts';
import { Unavailable } from '../../lib/errors.ts';
import { parseHostName } from '../../lib/network/host-name.ts';
import { getPublicUrl } from '../../lib/network/public-url.ts';
import type { FindSite, Site, SitePurpose } from './site.ts';

const freshMs = 1000;
const maxHosts = 10_000;
/** How long a request waits for the database. Then the last result is used; a host without one counts as unknown. */
const deadlineMs = 500;

type Entry = { site: Site | null; until: number };

/** A search for the sites of a server. Its requests share what was read. */
export function createSiteFinder({ config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>): FindSite {
  const own = new URL(getPublicUrl(config)).hostname;
  const entries = new Map<string, Entry>();
  const reading = new Map<string, Promise<Site | null>>();
  const request = createBatcher<string, Site | null>({
    concurrency: 2,
    maxBatch: 500,
    maxWaiting: 5000,
    overloadError: () => new Unavailable('Too many hosts are being looked up.'),
    failsAll: () => true,
    run: (hosts) => readSites({ db }, hosts),
  });
  const read = async (host: string): Promise<Site | null> => {
    const last = entries.get(host)?.site ?? null;
    const site = await withTimeout(deadlineMs, request(host)).catch(() => last);
    if (entries.size >= maxHosts) entries.clear();
    entries.set(host, { site, until: systemTime({ clock }).getTime() + freshMs });
    return site;
  };
  return (host) => {
    if (host === own || host === 'localhost') return null;
    const entry = entries.get(host);
    if (entry && entry.until > systemTime({ clock }).getTime()) return entry.site;
    if (!host.includes('.') || parseHostName(host) !== host) return null;
    const started = reading.get(host) ?? read(host).finally(() => reading.delete(host));
    reading.set(host, started);
    return started;
  };
}

async function readSites({ db }: Pick<Context, 'db'>, hosts: readonly string[]): Promise<(Site | null)[]> {
  const rows = await db.selectFrom('programHosts').select(['host', 'programId', 'purpose']).where('host', 'in', hosts).execute();
  const sites = new Map(rows.map((row) => [row.host, { ...row, purpose: row.purpose as SitePurpose }]));
  return hosts.map((host) => sites.get(host) ?? null);
}
