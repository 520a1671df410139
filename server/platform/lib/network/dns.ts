// Reading DNS records that prove who a domain belongs to.
import { Resolver } from 'node:dns/promises';

/** The TXT records of a name; none if the name has none or can't be resolved. */
export type FindTxtRecords = (name: string) => Promise<readonly string[]>;

const [timeoutMs, tries] = [3000, 2];

export const findTxtRecords: FindTxtRecords = async (name) => {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.map((chunks) => chunks.join(''));
};
