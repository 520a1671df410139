type Origin = { publicUrl: string | undefined; host: string; port: number };

/** The URL that this service is reached at, without a trailing slash. */
export function getPublicUrl({ publicUrl, host, port }: Origin): string {
  if (publicUrl !== undefined) return publicUrl;
  const isWildcard = host === '0.0.0.0' || host === '::';
  const name = isWildcard ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
