// The form of a resource and the requests it becomes. Pure, but for reading a chosen file.
import type { Input, Result } from '../../api/call.ts';
import type { RequestError } from '../../api/errors.ts';
import { readUpload } from '../../api/upload.ts';
import { pickChanges } from '../../states/edit/merge.ts';

export type Resource = Result<'resources.get'>;
export type Kind = Resource['kind'];

export const kinds = ['text', 'image', 'file'] as const;
export const placeholders = ['link', 'code', 'coupon', 'firstName', 'lastName', 'program'] as const;
/** Offered in the form; the API accepts others. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da'] as const;

/** The reads that a change affects. */
export const affected = ['resources.list', 'resources.get'] as const;

export type ResourceValues = {
  kind: Kind;
  title: string;
  description: string;
  text: string;
  /** The chosen file; null keeps the stored one. */
  file: File | null;
  groupIds: readonly string[];
  language: string | null;
  position: number | null;
};

export const emptyResource: ResourceValues = {
  kind: 'text',
  title: '',
  description: '',
  text: '',
  file: null,
  groupIds: [],
  language: null,
  position: null,
};

/** The fields without which a resource can't be saved. */
export function findMissing({ kind, title, text, file }: ResourceValues, isNew: boolean): (keyof ResourceValues)[] {
  const missing: (keyof ResourceValues)[] = [];
  if (title.trim() === '') missing.push('title');
  if (kind === 'text' && text.trim() === '') missing.push('text');
  if (kind !== 'text' && isNew && file === null) missing.push('file');
  return missing;
}

export async function toNewResource(values: ResourceValues): Promise<NonNullable<Input<'resources.create'>['body']>> {
  const { kind } = values;
  const fields = { kind, ...toFields(values) };
  return kind === 'text' ? { ...fields, text: values.text } : { ...fields, file: await toFile(values.file) };
}

/** The initial values of the form of an existing resource. */
export function toValues({ kind, title, description, text, groupIds, language, position }: Resource): ResourceValues {
  return { kind, title, description: description ?? '', text: text ?? '', file: null, groupIds, language, position };
}

/** The fields that differ, so that what others changed in the meantime is kept. */
export async function toUpdate(saved: ResourceValues, values: ResourceValues): Promise<NonNullable<Input<'resources.update'>['body']>> {
  const changed: NonNullable<Input<'resources.update'>['body']> = pickChanges(toFields(saved), toFields(values));
  if (values.kind === 'text') return values.text === saved.text ? changed : { ...changed, text: values.text };
  return values.file === null ? changed : { ...changed, file: await toFile(values.file) };
}

function toFields({ title, description, groupIds, language, position }: ResourceValues) {
  return { title, description: description.trim() === '' ? null : description, groupIds: [...groupIds], language, position: position ?? 0 };
}

async function toFile(file: File | null): Promise<{ name: string; content: string } | undefined> {
  return file === null ? undefined : { name: file.name, content: await readUpload(file) };
}

export type FileProblem = 'tooLarge' | 'tooManyPixels' | 'noImage' | 'damaged' | 'extension' | 'content';

/** What is wrong with the chosen file; null if the problem is another one. */
export function fileProblemOf({ status, details }: Pick<RequestError, 'status' | 'details'>): FileProblem | null {
  if (status === 413) return 'tooLarge';
  const text = details.find(({ path }) => path.includes('file'))?.message;
  if (text === undefined) return null;
  if (text.includes('10 MB')) return 'tooLarge';
  if (text.includes('megapixels')) return 'tooManyPixels';
  if (text.includes('JPEG')) return 'noImage';
  if (text.includes('damaged')) return 'damaged';
  return text.includes('extension') ? 'extension' : 'content';
}
