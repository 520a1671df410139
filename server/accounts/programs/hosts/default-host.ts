import type { Context } from '../../../context.ts';
import type { SitePurpose } from '../../../platform/http/sites/site.ts';

/** The host with which addresses of a purpose are built; null for the address of the installation. */
export async function findDefaultHost({ db }: Pick<Context, 'db'>, programId: string, purpose: SitePurpose): Promise<string | null> {
  const hosts = db.selectFrom('programHosts').select('host').where('programId', '=', programId).where('purpose', '=', purpose);
  return (await hosts.where('isDefault', '=', true).executeTakeFirst())?.host ?? null;
}
