// A copy of everything that a page loads, and a server that sends it from memory: the least that a page of these bytes costs.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

type Copy = { headers: Record<string, string>; body: Buffer };

/** What the browser received, by path. */
export class Copies {
  readonly #files = new Map<string, Copy>();

  /** Opens the address and copies everything that it loads. */
  async take(page: Page, address: string): Promise<void> {
    const pending: Promise<void>[] = [];
    const note = (response: { url(): string }) => {
      const { pathname, search } = new URL(response.url());
      pending.push(this.#copy(pathname + search, response.url()));
    };
    page.on('response', note);
    await page.goto(address, { waitUntil: 'load' });
    page.off('response', note);
    await Promise.all(pending);
  }

  async #copy(path: string, url: string): Promise<void> {
    const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    const { connection: _, 'transfer-encoding': __, 'content-length': ___, ...headers } = Object.fromEntries(response.headers);
    this.#files.set(path, { headers, body: Buffer.from(await response.arrayBuffer()) });
  }

  get bytes(): number {
    return [...this.#files.values()].reduce((sum, { body }) => sum + body.length, 0);
  }

  /** Serves the copies; returns the server and its port. */
  async serve(): Promise<{ server: Server; port: number }> {
    const server = createServer((request, response) => {
      const file = this.#files.get(request.url ?? '');
      response.writeHead(file ? 200 : 404, file?.headers).end(file?.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, port: (server.address() as AddressInfo).port };
  }
}
