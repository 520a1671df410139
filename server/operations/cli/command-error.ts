// Errors of a command that the user can fix. Their message is printed without a stack trace.

/** How a command ends, as docs/cli.md lists it. */
export const exitCodes = { failed: 1, usage: 2, notFound: 3, notAllowed: 4, conflict: 5, unavailable: 6 } as const;

export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An argument or option that is not valid. The command exits with 2. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}
