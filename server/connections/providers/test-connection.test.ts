// `…/test` calls an address that the caller chose. It must not reveal what listens there.
import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
const servers: Server[] = [];

async function listen(onConnection: (socket: import('node:net').Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

before(async () => {
  service = await openTestService();
});
after(async () => {
  for (const server of servers) server.close();
  await service.close();
});

const kinds: [type: string, settings: (url: string) => object][] = [
  ['stripe', (apiUrl) => ({ config: { apiUrl }, secrets: { webhookSecret: 'whsec_set_now', apiKey: 'sk_test_12345678' } })],
  [
    'woocommerce',
    (url) => ({ config: { url }, secrets: { webhookSecret: 'whsec_set_now', consumerKey: 'ck_12345678', consumerSecret: 'cs_12345678' } }),
  ],
  ['external_webhook', (url) => ({ config: { url } })],
];

async function testOnce(id: string) {
  const began = performance.now();
  const { body: tested } = await service.request('POST', `${service.program.path}/providers/${id}/test`);
  return { ms: performance.now() - began, said: [tested.works, tested.message, tested.provider.status, tested.provider.lastError] };
}

test('a closed port, a silent one, a reset, another protocol and an unknown host have the same response', async () => {
  const addresses = [
    'http://127.0.0.1:1',
    await listen(() => {}),
    await listen((socket) => socket.destroy()),
    await listen((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n')),
  ];
  const providers = await Promise.all(
    kinds.flatMap(([type, settings]) =>
      [...addresses, ...(type === 'external_webhook' ? [] : ['http://nowhere.invalid'])].map(async (url, index) => {
        const body = { type, name: `${type} ${index}`, ...settings(url) };
        const created = await service.request('POST', `${service.program.path}/providers`, { body });
        assert.equal(created.status, 201, created.text);
        return created.body.id as string;
      }),
    ),
  );
  const spreads: number[] = [];
  // Another process on the test machine can delay a response; what depends on the address differs in every round.
  for (let round = 0; round < 3; round += 1) {
    const outcomes = await Promise.all(providers.map(testOnce));
    for (const { said } of outcomes) assert.deepEqual(said, outcomes[0]?.said);
    const times = outcomes.map(({ ms }) => ms);
    spreads.push(Math.max(...times) - Math.min(...times));
    if (Math.min(...spreads) < 2500) return;
  }
  assert.fail(`the responses differ by ${spreads.map(Math.round)} ms`);
});
