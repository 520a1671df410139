// The file of a screen is missing: the page is loaded again as soon as that can help, at the same address.
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { isReachable } from '../api/call.ts';
import { Page } from '../ui/layout/page.tsx';
import { ErrorCard } from '../ui/states/problem.tsx';

const storageKey = 'trb-reloaded-at';
/** Files that are still missing after loading the page are not fixed by loading it again. */
const minPauseMs = 30_000;

export function MissingFile() {
  const { t } = useTranslation('shell');
  const isOnline = useSyncExternalStore(onConnection, () => navigator.onLine);
  // Loading the page while the service can't be reached would replace it with an error of the browser.
  const retry = useCallback(async () => {
    if (await isReachable()) location.reload();
  }, []);
  useEffect(() => {
    if (isOnline && claimReload()) void retry();
  }, [isOnline, retry]);
  return (
    <Page title={t('problem.fileTitle')} width="reading">
      <ErrorCard
        title={t(isOnline ? 'problem.fileTitle' : 'problem.fileOffline')}
        detail={t(isOnline ? 'problem.fileText' : 'problem.fileOfflineText')}
        onRetry={() => void retry()}
      />
    </Page>
  );
}

/** Whether the page may be reloaded automatically: not twice in a row. */
function claimReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (performance.timeOrigin + performance.now() - last < minPauseMs) return false;
    sessionStorage.setItem(storageKey, String(performance.timeOrigin + performance.now()));
    return true;
  } catch {
    return false;
  }
}

function onConnection(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
