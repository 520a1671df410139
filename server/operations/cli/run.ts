// Runs a command: opens the service, with or without a running server, and closes it afterwards.
import { openService, type Service } from '../../compose.ts';
import { InvalidSettings, readConfig } from '../../config.ts';
import { ClusterFault } from '../../platform/db/cluster/cluster.ts';
import { AlreadyServing } from '../../platform/db/embedded/open.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { ApiError } from '../../platform/lib/errors.ts';
import { StaleReview } from '../../promotion/landing-pages/review.ts';
import { CommandError } from './command-error.ts';

/** Opens the service for a command, and always closes it. `isDistributing`: see `openService`. */
export async function withService(name: string, act: (service: Service) => Promise<void>, { isDistributing = false } = {}): Promise<void> {
  const config = readConfig(process.env);
  const service = await openService(config, { role: 'command', name, isDistributing });
  try {
    await act(service);
  } finally {
    await service.close();
  }
}

const fileErrors: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be opened: permission denied',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is not inside a folder',
};

/** The message of an error that the user can fix; for any other error, its stack trace. */
export function describeError(error: unknown): string {
  const isExpected = [ApiError, CommandError, StaleReview, InvalidSettings, AlreadyServing, ClusterFault].some(
    (kind) => error instanceof kind,
  );
  if (isExpected && error instanceof Error) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${'port' in error ? error.port : ''} is in use. Stop the process that uses it, or set PORT to another port.`;
  }
  if (error instanceof Error && 'code' in error && 'path' in error && typeof error.code === 'string' && error.code in fileErrors) {
    return `${error.path} ${fileErrors[error.code]}.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The actor of this command, for the audit log. */
export function commandActor(): Actor {
  return { kind: 'command', id: process.env.USER ?? `uid ${process.getuid?.() ?? 'unknown'}` };
}
