// `listen`: follows the events of a program, and forwards each to an address of this machine, signed like a webhook.
import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { addConnectionOptions } from '../api/commands.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { type Connection, type ConnectionOptions, requireKey, resolveConnection } from '../connection/connection.ts';
import { getProgram } from '../connection/program.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { toSafeText } from '../terminal/width.ts';
import { type Event, findEnd, followEvents, getEvent } from './follow-events.ts';
import { type Forwarded, forward } from './forward.ts';

export type ListenOptions = ConnectionOptions & { forward?: string; secret?: string; replay?: string; type?: string[]; json?: boolean };

export function listenCommands(cli: Command, terminal: Terminal): void {
  const command = cli
    .command('listen')
    .addHelpText('after', '\nVerify the signature as for any webhook (standardwebhooks.com), with the secret that is printed at the start.')
    .option('--forward <url>', 'The address to send events to, such as http://localhost:4000/webhooks')
    .option('--type <types>', 'Only events of these types, such as conversion.created', (text: string) => text.split(','))
    .option('--replay <eventId>', 'Send this event again, and end')
    .option('--secret <secret>', 'The secret to sign with (default: one that stays the same for the API key)')
    .option('--json', 'Print events as JSON, one per line (default: if standard output is not a terminal)');
  addConnectionOptions(command);
  command.action((options: ListenOptions) => listen(options, terminal));
}

/** Ends when `signal` is aborted, or after the event to replay. */
export async function listen(options: ListenOptions, terminal: Terminal, signal?: AbortSignal): Promise<void> {
  const target = options.forward === undefined ? null : parseTarget(options.forward);
  if (options.replay && target === null) throw new UsageError('--replay needs --forward URL.');
  const resolved = await resolveConnection(terminal, options);
  const connection = { ...resolved, program: await getProgram(resolved) };
  const secret = options.secret === undefined ? stableSecret(connection) : requireSecret(options.secret);
  if (target) terminal.note(`Signing secret: ${paint(terminal, 'bold', secret)}`);
  const receive = async (event: Event) => {
    const forwarded = target === null ? null : await forward(event, { url: target, secret });
    printEvent(terminal, event, forwarded, options);
    return forwarded;
  };
  if (options.replay) return replay(await getEvent(connection, options.replay), receive);
  const cursor = await findEnd(connection);
  terminal.note(
    `Listening to ${connection.program.name} at ${connection.url}${target ? `, forwarding to ${target}` : ''}. Press Ctrl-C to stop.`,
  );
  await followEvents(connection, { types: options.type ?? [], cursor, signal }, receive);
}

async function replay(event: Event, receive: (event: Event) => Promise<Forwarded | null>): Promise<void> {
  const forwarded = await receive(event);
  if (!forwarded?.isAccepted) throw new CommandError('The event was not accepted.');
}

function printEvent(terminal: Terminal, event: Event, forwarded: Forwarded | null, { json }: ListenOptions): void {
  if (json || !terminal.isInteractive) {
    terminal.write(`${JSON.stringify({ event, forwarded: forwarded ?? undefined })}\n`);
    return;
  }
  const time = paint(terminal, 'dim', event.createdAt.slice(11, 19));
  const result = forwarded ? `  ${paint(terminal, forwarded.isAccepted ? 'green' : 'red', toSafeText(forwarded.outcome))}` : '';
  terminal.write(`${time}  ${toSafeText(event.type).padEnd(28)}  ${paint(terminal, 'dim', event.id)}${result}\n`);
}

function parseTarget(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--forward must be a URL such as http://localhost:4000/webhooks, not "${text}".`);
  return text;
}

function requireSecret(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret;
  throw new UsageError('--secret must have the form whsec_… (base64).');
}

/** The same for the same API key, so that the application under test is configured once. */
function stableSecret(connection: Connection): string {
  return `whsec_${createHash('sha256')
    .update(`listen:${requireKey(connection)}`)
    .digest('base64')}`;
}
