// The resource library of the demo: texts to copy, two pictures that `scripts/demo-pictures` draws, and notes on style as a file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tx } from '../../context.ts';
import type { Principal } from '../../platform/http/declaration/endpoint.ts';
import { addResource, NewResource } from '../../promotion/resources/create.ts';
import { prepareUpload } from '../../promotion/resources/file.ts';

const styleNotes = `FERN & FIELD: HOW WE SPEAK

Say: calm, clear, unhurried. Talk about taste, the ritual and where the herbs grow.
Don't say: cure, heal, clinically proven, without side effects.

Name: "Fern & Field", with the ampersand. Products keep their capitals: Morning Clarity, Evening Calm.
Pictures: daylight, real kitchens, no filters. Leave room around the logo.
Disclosure: say at the beginning of each post that the link is an affiliate link.
`;

const texts = [
  {
    title: 'Caption for a photo',
    description: 'Short, for Instagram or Threads. Replace the first sentence with one about your day.',
    text: 'Ten quiet minutes before the inbox. My kettle, my window, and Morning Clarity by {program}.\n\nAd · my link: {link}',
  },
  {
    title: 'Paragraph for a newsletter',
    description: 'Works best after a personal sentence of your own.',
    text:
      'I have been drinking {program} for a while now: organic herbs, blended in small batches, nothing added. If you would like to ' +
      'try it, this is my link: {link}\n\nIt is an affiliate link. I earn a small commission, and you pay the same.\n\n{firstName}',
  },
  {
    title: 'Text with your discount code',
    description: 'For stories and videos, where a code is easier to remember than a link.',
    text: 'Use my code {coupon} at {program} and save on your first order. {link}',
  },
] as const;

const pictures = [
  { file: 'table', title: 'The breakfast table', description: 'For posts and headers, 1600 × 1000 pixels.' },
  { file: 'field', title: 'Where the herbs grow', description: 'For articles about the ingredients, 1600 × 1000 pixels.' },
] as const;

const folder = join(import.meta.dirname, 'pictures', 'heroes');

/** Adds the resources, in the order in which affiliates see them. */
export async function seedResources(tx: Tx, actor: Principal): Promise<void> {
  const files = pictures.map(({ file, title, description }) => {
    const content = readFileSync(join(folder, `${file}-1600.webp`)).toString('base64');
    return { kind: 'image', title, description, file: { name: `fern-and-field-${file}.webp`, content } };
  });
  const notes = {
    kind: 'file',
    title: 'How we speak',
    description: 'Words, names and pictures: what fits, and what to leave out.',
    file: { name: 'how-we-speak.txt', content: Buffer.from(styleNotes).toString('base64') },
  };
  const all = [...texts.map((text) => ({ kind: 'text', language: 'en', ...text })), ...files, notes];
  for (const [index, body] of all.entries())
    await addResource(tx, actor, await prepareUpload(tx, NewResource.parse({ ...body, position: index + 1 })));
}
