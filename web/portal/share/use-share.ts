import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../ui/overlay/announcements.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';

const doneMs = 2000;

/** Copies a text; `isDone` for two seconds afterwards. */
export function useCopy(): { isDone: boolean; start: (text: string) => Promise<void> } {
  const { t } = useTranslation('portal-share');
  const [isDone, setIsDone] = useState(false);
  return {
    isDone,
    start: async (text) => {
      try {
        await navigator.clipboard.writeText(text);
        setIsDone(true);
        announce(t('copied'));
        setTimeout(() => setIsDone(false), doneMs);
      } catch {
        showToast(t('copyFailed'), { tone: 'error' });
      }
    },
  };
}

/** Opens the system's share sheet. Browsers without one, and pages without HTTPS, copy the address instead. */
export function useShare(): (content: { url: string; title: string }) => Promise<void> {
  const { t } = useTranslation('portal-share');
  const copy = useCopy();
  return async ({ url, title }) => {
    if (!('share' in navigator)) {
      await copy.start(url);
      showToast(t('copiedInstead'));
      return;
    }
    // Closing the share sheet is a decision, not a failure.
    await navigator.share({ url, title }).catch(() => {});
  };
}
