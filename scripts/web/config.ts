// The configuration of Vite, for the build at start (scripts/web.ts) and for `npm run dev`.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { chunkGroups } from './chunks.ts';
import { operationsPlugin } from './operations.ts';
import { textsPlugin } from './texts.ts';

const root = join(import.meta.dirname, '..', '..');

/** What the build of an app and the development server, which serves all of them, have in common. */
export function devConfig(app?: string): InlineConfig {
  return {
    configFile: false,
    root: join(root, 'web'),
    cacheDir: join(root, '.tributary', 'vite'),
    appType: 'mpa',
    plugins: [operationsPlugin(root, app), textsPlugin(root), react()],
    publicDir: false,
    logLevel: 'warn',
    clearScreen: false,
  };
}

/** The web apps. Each is a build, so that neither contains what only the other one needs. */
export const apps = ['console', 'portal'] as const;

/** Builds an app into `outDir`. File names contain a hash of the contents, so browsers may cache them permanently. */
export function buildConfig(outDir: string, app: (typeof apps)[number]): InlineConfig {
  return {
    ...devConfig(app),
    build: {
      outDir,
      // The apps are built into one new folder.
      emptyOutDir: false,
      target: 'es2022',
      assetsDir: 'assets',
      // Fonts stay separate files: the content security policy allows no data: URLs for them.
      assetsInlineLimit: 0,
      manifest: `.vite/${app}.json`,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The shell is one file on purpose.
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        input: { [app]: join(root, `web/${app}.html`) },
        // A dialog that the shell loads when it opens is also in a file of the screens that use it.
        checks: { ineffectiveDynamicImport: false },
        output: { codeSplitting: { groups: chunkGroups } },
      },
    },
  };
}
