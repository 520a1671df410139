// A Node process that a script runs, in its own process group: stopping it also stops what it started.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

export type Child = {
  process: ChildProcess;
  /** The exit code; 1 after a signal. */
  exit: Promise<number>;
  /** Sends SIGTERM to the whole group and waits for its end; after `timeoutMs` the group is killed. */
  stop(timeoutMs?: number): Promise<void>;
};

/** Starts Node with these arguments. */
export function startNode(args: string[], environment: NodeJS.ProcessEnv = {}, stdio: StdioOptions = 'inherit'): Child {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio,
    detached: true,
    env: { ...process.env, ...environment },
  });
  const exit = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
  return {
    process: child,
    exit,
    async stop(timeoutMs = 10_000) {
      signalGroup(child, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), timeoutMs);
      await exit;
      clearTimeout(timer);
    },
  };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}
