// A service whose jobs run in processes that a test kills.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cloneDatabase, openTestService, type TestService } from '../harness.ts';
import type { JobWorkerOptions } from './job-worker.ts';

export type JobWorkers = {
  service: TestService;
  /** Starts a process that runs the job. Returns once it looks for jobs. */
  start(): Promise<ChildProcess>;
  kill(child: ChildProcess): Promise<void>;
  close(): Promise<void>;
};

export async function openJobWorkers(jobName: string): Promise<JobWorkers> {
  const vaultKey = randomBytes(32);
  const database = await cloneDatabase();
  const service = await openTestService({ database: database.connection, vaultKey });
  const running = new Set<ChildProcess>();
  return {
    service,
    async start() {
      const { host, port, user, database: name } = database.connection;
      const connection = { host: String(host), port: Number(port), user: String(user), database: String(name) };
      const options: JobWorkerOptions = { jobName, connection, vaultKey: vaultKey.toString('base64'), now: service.clock.now().getTime() };
      const child = spawn(process.execPath, ['test/support/crash/job-worker.ts', JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running.add(child);
      await once(child.stdout, 'data');
      return child;
    },
    async kill(child) {
      child.kill('SIGKILL');
      await once(child, 'exit');
      running.delete(child);
    },
    async close() {
      for (const child of running) child.kill('SIGKILL');
      await service.close();
      await database.drop();
    },
  };
}
