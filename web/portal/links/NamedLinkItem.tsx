import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/marks/copy-button.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import { useShare } from '../share/use-share.ts';
import styles from './links.module.css';

type Link = Result<'portal.links'>['links'][number];

/** A named link: copied by a click, with what it brought. */
export function NamedLinkItem({ link: { id, name, url, destination, clicks, orders } }: { link: Link }) {
  const { t } = useTranslation('portal-links');
  const { programId } = useAccount();
  const share = useShare();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useAction('portal.deleteLink', { invalidates: ['portal.links'] });
  const confirm = async () => {
    setIsAsking(false);
    try {
      await remove.mutateAsync({ path: { programId, id } });
      showToast(t('named.deleted', { name }));
    } catch {
      showToast(t('named.deleteFailed'), { tone: 'error' });
    }
  };
  return (
    <li className={styles.item}>
      <div className={styles.itemHead}>
        <bdi className={styles.itemName}>{name}</bdi>
        <span className={styles.itemButtons}>
          <IconButton icon="send" label={t('named.share', { name })} onClick={() => void share({ url, title: name })} />
          <IconButton icon="trash" label={t('named.delete', { name })} onClick={() => setIsAsking(true)} />
        </span>
      </div>
      <CopyButton value={url} text={url.replace(/^https?:\/\//, '')} />
      <div className={styles.itemDetail}>
        {t('named.clicks', { count: clicks })} · {t('named.orders', { count: orders })}
        {destination === null ? null : ` · ${destination.replace(/^https?:\/\//, '')}`}
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('named.deleteTitle', { name })}
        text={t('named.deleteText')}
        action={t('named.deleteAction')}
        onConfirm={() => void confirm()}
      />
    </li>
  );
}
