import type { ResourceLanguage } from 'i18next';

/** Turns files into namespaces: `./en/shell.json` becomes `shell`. */
export function toTexts(files: Record<string, unknown>): ResourceLanguage {
  return Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ''), texts as ResourceLanguage[string]]),
  );
}
