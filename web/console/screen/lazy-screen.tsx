// A screen whose file is loaded when it is opened. A file that can't be loaded is not a failure of the screen: the browser
// is offline, or a release has replaced the files that this page knows.
import { type ReactNode, use } from 'react';

/** The file of a screen could not be loaded. */
export class ScreenFileError extends Error {
  override readonly name = 'ScreenFileError';
}

type File = { Screen: () => ReactNode };

/** A component that loads its file when it is first shown, and again after a failure. */
export function lazyScreen(load: () => Promise<File>) {
  let file: Promise<File> | null = null;
  const start = (): Promise<File> => {
    file ??= load().catch((cause: unknown) => {
      file = null;
      throw new ScreenFileError('The file of the screen could not be loaded.', { cause });
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
