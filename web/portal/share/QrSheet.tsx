import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import styles from './share.module.css';

/** The link as a QR code, to show, print or download. */
export function QrSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('portal-share');
  const { programId, isEmbedded } = useAccount();
  const read = useRead('portal.qr', { path: { programId } }, { enabled: isOpen, staleMs: 600_000 });
  const file = (format: string) => `/app/portal/${programId}/qr?format=${format}&size=1024`;
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('qrTitle')} detail={t('qrText')}>
      <div className={styles.qr}>
        <Loaded read={read} what={t('qrWhat')} skeleton={<Skeleton width={280} height={280} shape="block" />}>
          {({ svg, url }) => (
            <>
              <img
                className={styles.qrImage}
                src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
                alt={t('qrAlt', { url })}
                width={280}
                height={280}
              />
              <p className={styles.qrUrl}>{url.replace(/^https?:\/\//, '')}</p>
            </>
          )}
        </Loaded>
        {isEmbedded ? null : (
          <div className={styles.buttons}>
            <ButtonLink href={file('png')} icon="download" isDownload>
              {t('png')}
            </ButtonLink>
            <ButtonLink href={file('svg')} icon="download" isDownload>
              {t('svg')}
            </ButtonLink>
          </div>
        )}
      </div>
    </Sheet>
  );
}
