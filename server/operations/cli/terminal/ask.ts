import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from '../command-error.ts';

type Streams = { input: NodeJS.ReadStream; output: NodeJS.WriteStream; isHidden: boolean };

/** Asks a question on a terminal. A hidden answer, such as an API key, isn't shown. */
export async function ask(question: string, { input, output, isHidden }: Streams): Promise<string> {
  output.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: isHidden ? silent : output, terminal: true });
  const cancelled = new Promise<never>((_, reject) => {
    reader.once('SIGINT', () => reject(new CommandError('Cancelled.')));
  });
  try {
    return (await Promise.race([reader.question(''), cancelled])).trim();
  } finally {
    reader.close();
    if (isHidden) output.write('\n');
  }
}
