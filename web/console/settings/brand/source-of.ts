/** The source of a logo for the page: uploaded images by their path, others only from https. Null if it can't be shown. */
export function sourceOf(url: string): string | null {
  const [path] = /\/media\/[0-9a-f-]{36}$/.exec(url) ?? [];
  if (path !== undefined) return `${path}?w=512`;
  return /^https:\/\/[^\s/]+\.[^\s]+$/.test(url) ? url : null;
}
