// `listen` forwards events as webhooks, which the libraries of Standard Webhooks verify.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type CommandLine, createTerminal, openCommandLine } from '../../../../test/support/command-line/command-line.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/time/wait.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../../../../test/support/webhooks/receiver.ts';
import { listen } from './listen.ts';

describe('listen', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let cli: CommandLine;
  let url: string;
  before(async () => {
    service = await openTestService();
    receiver = await openWebhookReceiver();
    url = await service.app.listen({ port: 0, host: '127.0.0.1' });
    cli = await openCommandLine({ TRIBUTARY_URL: url, TRIBUTARY_API_KEY: service.program.key });
  });
  after(async () => {
    await cli.close();
    receiver.close();
    await service.close();
  });

  const createGroup = (name: string) => service.request('POST', `${service.program.path}/groups`, { body: { name } });

  test('forwards what happens from now on, in order, and replays an event with a valid signature', async () => {
    await createGroup('Before');
    const printed = { stdout: '', stderr: '' };
    const env = { TRIBUTARY_URL: url, TRIBUTARY_API_KEY: service.program.key, XDG_CONFIG_HOME: cli.folder, DATA_DIR: cli.folder };
    const stop = new AbortController();
    const listening = listen({ forward: receiver.url('/hooks') }, createTerminal(printed, { env }), stop.signal);
    await until('it listens', () => printed.stderr.includes('Listening'));
    await createGroup('First');
    await createGroup('Second');
    await until('both arrive', () => receiver.received.length === 2);
    stop.abort();
    await listening;
    const secret = /whsec_\S+/.exec(printed.stderr)?.[0] ?? '';
    const payloads = receiver.received.map(({ body, headers }) => new Webhook(secret).verify(body, headers) as Record<string, unknown>);
    assert.deepEqual(
      payloads.map(({ data }) => (data as { name: string }).name),
      ['First', 'Second'],
    );
    assert.ok(payloads.every((payload) => 'timestamp' in payload && !('createdAt' in payload) && !('previous' in payload)));

    const id = String(payloads[1]?.id);
    const replayed = await cli.run(['listen', '--forward', receiver.url('/hooks'), '--replay', id]);
    assert.equal(replayed.code, 0, replayed.stderr);
    const last = receiver.received.at(-1);
    assert.deepEqual(new Webhook(secret).verify(last?.body ?? '', last?.headers ?? {}), payloads[1]);
  });

  test('a replay that is not accepted is an error', async () => {
    const { body } = await service.request('GET', `${service.program.path}/events?limit=1`);
    const outcome = await cli.run(['listen', '--forward', 'http://127.0.0.1:1/', '--replay', body.events[0].id]);
    assert.equal(outcome.code, 1);
    assert.equal((await cli.run(['listen', '--replay', body.events[0].id])).code, 2);
  });
});
