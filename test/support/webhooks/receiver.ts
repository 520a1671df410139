// A receiver of webhooks for tests: remembers what arrived, and answers as the test asks.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { path: string; headers: Record<string, string>; body: string };
export type Answering = (request: Received, response: ServerResponse) => void;

export type WebhookReceiver = {
  url(path: string): string;
  received: Received[];
  /** The response to later requests; the default is 200. */
  answer(how: Answering): void;
  close(): void;
};

export const ok: Answering = (_, response) => void response.writeHead(200).end('ok');
export const status =
  (code: number): Answering =>
  (_, response) =>
    void response.writeHead(code).end('no');

export const hang: Answering = () => undefined;
/** Never stops sending. */
export const stream: Answering = (_, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'.repeat(4096)), 5);
  response.on('close', () => clearInterval(timer));
};

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let answering = ok;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const one = { path: request.url ?? '', headers: request.headers as Record<string, string>, body };
      received.push(one);
      answering(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    received,
    answer(how) {
      answering = how;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
