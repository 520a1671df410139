// The configuration of Vite, for the build at start (scripts/web.ts) and for `npm run dev`.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

const root = join(import.meta.dirname, '..', '..');

/** What a build and the development server have in common. */
export function devConfig(): InlineConfig {
  return {
    configFile: false,
    root: join(root, 'web'),
    cacheDir: join(root, '.tributary', 'vite'),
    appType: 'mpa',
    plugins: [react()],
    publicDir: false,
    logLevel: 'warn',
    clearScreen: false,
  };
}

/** Builds into `outDir`. File names contain a hash of the contents, so browsers may cache them permanently. */
export function buildConfig(outDir: string): InlineConfig {
  return {
    ...devConfig(),
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsDir: 'assets',
      // Fonts stay files of their own: the content security policy allows no data: URLs for them.
      assetsInlineLimit: 0,
      manifest: true,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { input: { console: join(root, 'web/console.html'), portal: join(root, 'web/portal.html') } },
    },
  };
}
