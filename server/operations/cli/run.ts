// Runs a command: opens the service, with or without a running server, and closes it afterwards.
import type { z } from 'zod';
import { openService, type Service } from '../../compose.ts';
import { InvalidSettings, readConfig } from '../../config.ts';
import { AlreadyServing } from '../../platform/db/embedded/open.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { ApiError } from '../../platform/lib/errors.ts';
import { StaleReview } from '../../promotion/landing-pages/review.ts';

/** An error that the caller can fix; its message is one sentence. */
export class Refused extends Error {}

/** Opens the service for a command, and always closes it. */
export async function withService(name: string, act: (service: Service) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const service = await openService(config, { role: 'command', name });
  try {
    await act(service);
  } finally {
    await service.close();
  }
}

/** What a file system error means, by its code. */
const fileFaults: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be opened by this user',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is not inside a folder',
};

/** One sentence for an error that the caller can fix; otherwise the complete error with its stack. */
export function explain(error: unknown): string {
  const isExpected = [ApiError, Refused, StaleReview, InvalidSettings, AlreadyServing].some((kind) => error instanceof kind);
  if (isExpected && error instanceof Error) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${'port' in error ? error.port : ''} is in use. Stop the process that uses it, or set PORT to another port.`;
  }
  if (error instanceof Error && 'code' in error && 'path' in error && typeof error.code === 'string' && error.code in fileFaults) {
    return `${error.path} ${fileFaults[error.code]}.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** An argument, by the rule that the API has for the same field. */
export function requireField<Schema extends z.ZodType>(schema: Schema, text: string, what: string): z.output<Schema> {
  const parsed = schema.safeParse(text.toWellFormed());
  if (!parsed.success) throw new Refused(`${what} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  return parsed.data;
}

/** The actor of this command, for the audit log. */
export function operator(): Actor {
  return { kind: 'command', id: process.env.USER ?? `uid ${process.getuid?.() ?? 'unknown'}` };
}
