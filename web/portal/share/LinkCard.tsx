// The affiliate's link with the three ways to share it. Share opens the system's share sheet, and copies without one.
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAccount } from '../session/account.ts';
import styles from './share.module.css';
import { useCopy, useShare } from './use-share.ts';

// Sheets are not part of the first load.
const QrSheet = lazy(async () => ({ default: (await import('./QrSheet.tsx')).QrSheet }));

export function LinkCard({ url }: { url: string }) {
  const { t } = useTranslation('portal-share');
  const { programName } = useAccount();
  const [isQrOpen, setIsQrOpen] = useState(false);
  const [hasOpenedQr, setHasOpenedQr] = useState(false);
  const openQr = () => {
    setHasOpenedQr(true);
    setIsQrOpen(true);
  };
  const copy = useCopy();
  const share = useShare();
  return (
    <Card title={t('title')}>
      <p className={styles.address}>{url.replace(/^https?:\/\//, '')}</p>
      <div className={styles.buttons}>
        <Button kind="primary" icon={copy.isDone ? 'check' : 'copy'} onClick={() => void copy.start(url)}>
          {t(copy.isDone ? 'copied' : 'copy')}
        </Button>
        <Button icon="send" onClick={() => void share({ url, title: programName })}>
          {t('share')}
        </Button>
        <Button onClick={openQr} aria-label={t('qrLabel')}>
          {t('qr')}
        </Button>
      </div>
      {hasOpenedQr ? (
        <Suspense fallback={null}>
          <QrSheet isOpen={isQrOpen} onClose={() => setIsQrOpen(false)} />
        </Suspense>
      ) : null}
    </Card>
  );
}
