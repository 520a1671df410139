import { showProblem } from './show-problem.ts';

/** Saves the file that a request returns, under a name. An error is shown. */
export async function download(name: string, load: () => Promise<unknown>): Promise<void> {
  try {
    const file = await load();
    if (file instanceof Blob) saveFile(file, name);
  } catch (error) {
    showProblem(error);
  }
}

/** Saves a file under a name, as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
