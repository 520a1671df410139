// A screen whose file and texts are loaded when it is opened. A file that can't be loaded is not a failure of the screen: the browser
// is offline, or a release has replaced the files that this page knows.
import { type ReactNode, use } from 'react';
import { loadScreenTexts } from '../locales/load.ts';

/** The file of a screen could not be loaded. */
export class ScreenFileError extends Error {
  override readonly name = 'ScreenFileError';
}

/** Loads a file of a screen. A failure is shown as a missing file, not as a failure of the screen. */
export async function loadFile<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new ScreenFileError('The file of the screen could not be loaded.', { cause });
  }
}

type File = { Screen: () => ReactNode };

/** A component that loads its file and its texts when it is first shown, and again after a failure. */
export function lazyScreen({ id, load }: { id: string; load: () => Promise<File> }) {
  const loadBoth = async () => {
    const [loaded] = await Promise.all([load(), loadScreenTexts(id)]);
    return loaded;
  };
  let file: Promise<File> | null = null;
  const start = (): Promise<File> => {
    file ??= loadFile(loadBoth).catch((error: unknown) => {
      file = null;
      throw error;
    });
    return file;
  };
  const Content = () => {
    const { Screen } = use(start());
    return <Screen />;
  };
  return Object.assign(Content, {
    preload: () =>
      start().then(
        () => {},
        () => {},
      ),
  });
}
