// A program in test mode, and advancing its clock as an integrator does.
import assert from 'node:assert/strict';
import { createProgram } from '../../../server/accounts/programs/create.ts';
import type { Context } from '../../../server/context.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import type { Answer, TestProgram, TestService } from '../harness.ts';

const actor = { kind: 'command' as const, id: 'test' };

export type Sandbox = TestProgram & {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Advances the clock to a time, or by days, and waits until it is ready. Returns the clock. */
  advance(by: { days: number } | { to: string }): Promise<Answer>;
};

export async function createSandbox(ctx: Context, name: string, timezone = 'UTC'): Promise<TestProgram> {
  const fresh = { name, mode: 'test' as const, currency: 'USD', timezone, websiteUrl: 'https://brand.example' };
  const { programId, apiKey: key } = await transact(ctx, (tx) => createProgram(tx, fresh, actor));
  return { programId, key, readKey: key, path: `/v1/programs/${programId}` };
}

export async function openSandbox(service: TestService, name: string, timezone?: string): Promise<Sandbox> {
  const program = await createSandbox(service.ctx, name, timezone);
  const call: Sandbox['call'] = (method, path, body) => service.request(method, `${program.path}${path}`, { key: program.key, body });
  return {
    ...program,
    call,
    async advance(by) {
      const started = await call('POST', '/test-clock/advance', by);
      assert.deepEqual([started.status, started.body.status], [200, 'advancing'], started.text);
      // One run of the job ends after a minute.
      for (;;) {
        await service.drain();
        const clock = await call('GET', '/test-clock');
        if (clock.body.status === 'ready') return clock;
      }
    },
  };
}
