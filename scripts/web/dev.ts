// Vite in front of the service during development: the web apps reload when a file in web/ changes, and every other
// request goes to the service. Both have one address, so that cookies and links work as in production.

import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { findFreePort } from '../../server/platform/lib/network/free-port.ts';
import { devConfig } from './config.ts';

/** What belongs to the web apps; the rest is the service's. */
const webPaths =
  /^\/(@|node_modules\/|(console|portal)(\/|\?|$)|embed\/[\w-]+\/portal|(api|ui|locales)\/[^?]+\.(tsx?|css|json)|(console|portal)\.html|icon\.svg|__)/;

/** Starts Vite; `target` is the address of the service. */
export async function startFront({ port, target }: { port: number; target: string }): Promise<{ url: string; close(): Promise<void> }> {
  const config = devConfig();
  const server = await createServer({
    ...config,
    plugins: [...(config.plugins ?? []), servePages()],
    server: {
      host: '127.0.0.1',
      port: port === 0 ? await findFreePort('127.0.0.1') : port,
      proxy: { '/': { target, bypass: ({ url = '/' }) => (webPaths.test(url) ? url : undefined) } },
    },
  });
  await server.listen();
  return { url: (server.resolvedUrls?.local[0] ?? '').replace(/\/$/, ''), close: () => server.close() };
}

/** Addresses of an app without a file name are its entry page, as in production. */
function servePages(): Plugin {
  return {
    name: 'tributary-pages',
    configureServer(server: ViteDevServer) {
      server.middlewares.use((request, _response, next) => {
        const path = request.url?.split('?')[0] ?? '';
        const app = /^\/embed\/[\w-]+\/portal$/.test(path) ? 'portal' : /^\/(console|portal)(\/[^.]*)?$/.exec(path)?.[1];
        if (app) request.url = `/${app}.html`;
        next();
      });
    },
  };
}
