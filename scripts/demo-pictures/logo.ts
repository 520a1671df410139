import { mark } from './botanicals.ts';
import { document } from './scene.ts';

/** The logo: the mark, on nothing. */
export const logo: Record<string, string> = { logo: document(512, 512, `<g transform="translate(256 256)">${mark(252)}</g>`) };
