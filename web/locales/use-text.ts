import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextKey } from './load.ts';

/** Reads texts whose key is data, such as the title of a screen. */
export function useText(): (key: TextKey) => string {
  const { i18n } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language changes what the same function returns.
  return useCallback((key: TextKey) => i18n.t(key as 'shell:app'), [i18n, i18n.language]);
}
