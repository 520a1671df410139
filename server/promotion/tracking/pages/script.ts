// `GET /t.js`: the script that a store's pages include.
import type { FastifyInstance } from 'fastify';
import { readScript, serveScriptFile } from '../../../platform/http/pages/script-file.ts';

/** The script as it is sent. */
export const script = readScript(new URL('t.js', import.meta.url));

/** Registers the script on an instance without the headers of the API. */
export function serveScript(app: FastifyInstance): void {
  serveScriptFile(app, '/t.js', script);
}
