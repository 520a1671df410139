// Uploaded images are stored with an absolute URL, which other services and emails need. Our own pages load them by their
// path: the service may be reached at another address than the one of PUBLIC_URL, and may have moved since the upload.
import { canonicalUuid } from '../ids.ts';

/** The path of an uploaded image on this service; null for an image elsewhere. */
export function toMediaPath(url: string, publicUrl: string): string | null {
  const parsed = URL.parse(url);
  const [, id] = /^\/media\/([0-9a-f-]{36})$/i.exec(parsed?.pathname ?? '') ?? [];
  if (!parsed || id === undefined || canonicalUuid(id) === null) return null;
  return parsed.origin === new URL(publicUrl).origin || isLoopback(parsed) ? `/media/${id.toLowerCase()}` : null;
}

/** Stored before the service had a public URL, or while it listened on another port. No visitor could load it from there. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
