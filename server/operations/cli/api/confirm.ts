// Asks before money moves or something is deleted.
import { CommandError, UsageError } from '../command-error.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { type Prepared, printPreview } from './dry-run.ts';

/** Returns once a person agreed. Throws CommandError otherwise. */
export async function confirm(prepared: Prepared, terminal: Terminal): Promise<void> {
  const { connection, operation } = prepared;
  const consequence = operation.effect === 'pays' ? 'moves money, or decides where it goes' : 'deletes data';
  if (!terminal.canAsk) throw new UsageError(`This ${consequence}: confirm it with --yes, or see what it does with --dry-run.`);
  if (operation.canPreview && terminal.isInteractive) await printPreview(prepared, terminal);
  const place = connection.program ? `${connection.program.name} at ${connection.url}` : connection.url;
  terminal.note(`${paint(terminal, 'bold', operation.summary)} in ${place}: this ${consequence}.`);
  const answer = await terminal.ask('Continue? [y/N] ');
  if (!/^y(es)?$/i.test(answer)) throw new CommandError('Cancelled. Nothing was sent.');
}
