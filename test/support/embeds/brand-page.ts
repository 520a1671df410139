// Pages of a brand's application, on another site than the service: `localhost` is another one than 127.0.0.1.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BrandPages = {
  origin: string;
  /** What the next page contains, in its body, and its content security policy. The nonce is `n`. */
  show(body: string, policy?: string): void;
  /** Creates a token for `POST /token`. */
  onToken(create: () => Promise<string>): void;
  close(): Promise<void>;
};

/** Starts a server of another site. Its pages note the messages of frames in `messages`. */
export async function openBrandPages(): Promise<BrandPages> {
  let shown = '';
  let policy: string | undefined;
  let create = async () => '';
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') return void response.end(JSON.stringify({ token: await create() }));
    if (policy) response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><head><title>The app · Brand</title><style nonce="n">body { font-family: Georgia, serif }</style>
<script nonce="n">const messages = []; addEventListener('message', ({ data, origin }) => messages.push({ ...data, origin }))</script></head>
<body><main><h1>The app</h1>${shown}</main></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    show(body, given) {
      [shown, policy] = [body, given];
    },
    onToken(given) {
      create = given;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
