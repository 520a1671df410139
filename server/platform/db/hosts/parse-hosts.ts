// A DATABASE_URL can name several hosts, separated by commas: `postgres://user:password@one:5432,two:5432/tributary`.
// `pg` accepts one, so each host gets its own URL.

export type Host = {
  /** As written in the URL, such as `one:5432`. */
  address: string;
  url: string;
};

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]+)([/?#].*)?$/;

/** The hosts of the URL, in its order; null if it is not valid, or names a host twice. */
export function parseHosts(text: string): Host[] | null {
  const [, start = '', list = '', end = ''] = parts.exec(text) ?? [];
  // Without a host, as in `postgres:///tributary?host=/run/postgresql`.
  if (list === '') return isDatabaseUrl(text) ? [{ address: 'localhost', url: text }] : null;
  const hosts = list.split(',').map((address) => ({ address, url: `${start}${address}${end}` }));
  const isValid = hosts.every(({ address, url }) => address !== '' && isDatabaseUrl(url));
  return isValid && new Set(hosts.map(({ address }) => address)).size === hosts.length ? hosts : null;
}

function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
}
