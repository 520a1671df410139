// The user's passkeys: add, rename, remove.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../api/call.ts';
import { RequestError } from '../api/errors.ts';
import { useAction, useRead } from '../api/queries.ts';
import { Loaded } from '../states/loaded.tsx';
import { Button } from '../ui/controls/button.tsx';
import { DateTime } from '../ui/figures/date-time.tsx';
import { Card, RowList } from '../ui/layout/card.tsx';
import { InlineList } from '../ui/layout/inline-list.tsx';
import { Text } from '../ui/layout/stack.tsx';
import { Confirm } from '../ui/overlay/confirm.tsx';
import { showToast } from '../ui/overlay/toasts.tsx';
import { Notice } from '../ui/states/problem.tsx';
import { SkeletonText } from '../ui/states/skeleton.tsx';
import { Item, ItemAction } from './Item.tsx';
import { allowsPasskeys } from './passkey-support.ts';
import { RenameDialog } from './RenameDialog.tsx';
import styles from './security.module.css';
import { useAddPasskey } from './use-add-passkey.ts';

type Passkey = Result<'passkeys.list'>['passkeys'][number];

/** `howToEnable`: how to make passkeys available, for those who can. */
export function PasskeysCard({ howToEnable }: { howToEnable?: string }) {
  const { t } = useTranslation('security');
  const read = useRead('passkeys.list', {});
  const add = useAddPasskey();
  const isAvailable = read.data?.isAvailable === true && allowsPasskeys();
  return (
    <Card
      title={t('passkeys.title')}
      detail={t('passkeys.detail')}
      isFlush
      actions={
        isAvailable ? (
          <Button icon="plus" isBusy={add.isBusy} onClick={() => void add.start()}>
            {t('passkeys.add')}
          </Button>
        ) : null
      }
    >
      {add.problem === null ? null : (
        <div className={styles.padded} role="alert">
          <Notice icon="warning" tone="error" title={add.problem} />
        </div>
      )}
      <Loaded read={read} what={t('passkeys.what')} skeleton={<CardSkeleton />}>
        {({ passkeys }) => (
          <>
            {isAvailable ? null : <Unavailable howToEnable={howToEnable} />}
            <Passkeys passkeys={passkeys} isAvailable={isAvailable} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function CardSkeleton() {
  return (
    <div className={styles.padded}>
      <SkeletonText lines={2} />
    </div>
  );
}

function Unavailable({ howToEnable }: { howToEnable: string | undefined }) {
  const { t } = useTranslation('security');
  return (
    <div className={styles.padded}>
      <Text>{[t('passkeys.unavailable'), howToEnable].filter(Boolean).join(' ')}</Text>
    </div>
  );
}

function Passkeys({ isAvailable, passkeys }: Result<'passkeys.list'>) {
  const { t } = useTranslation('security');
  if (passkeys.length === 0) {
    if (!isAvailable) return null;
    return (
      <div className={styles.padded}>
        <Text>{t('passkeys.none')}</Text>
      </div>
    );
  }
  return (
    <RowList>
      {passkeys.map((passkey) => (
        <PasskeyItem key={passkey.id} passkey={passkey} />
      ))}
    </RowList>
  );
}

function PasskeyItem({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('security');
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const remove = useAction('passkeys.delete', { invalidates: ['passkeys.list'] });
  const confirmRemoval = async () => {
    setOpen(null);
    try {
      await remove.mutateAsync({ path: { passkeyId: passkey.id } });
      showToast(t('passkeys.removed', { name: passkey.name }));
    } catch (error) {
      if (!(error instanceof RequestError && error.needsConfirmation)) showToast(t('failed'), { tone: 'error' });
    }
  };
  return (
    <Item
      icon="key"
      title={passkey.name}
      detail={
        <InlineList>
          <span>
            {t('passkeys.added')} <DateTime value={passkey.createdAt} as="date" />
          </span>
          <span>
            {passkey.lastUsedAt === null ? t('passkeys.neverUsed') : t('passkeys.lastUsed')}{' '}
            {passkey.lastUsedAt === null ? null : <DateTime value={passkey.lastUsedAt} />}
          </span>
        </InlineList>
      }
      actions={
        <>
          <ItemAction label={t('passkeys.rename')} about={passkey.name} onClick={() => setOpen('rename')} />
          <ItemAction label={t('passkeys.remove')} about={passkey.name} isBusy={remove.isPending} onClick={() => setOpen('remove')} />
        </>
      }
    >
      <RenameDialog key={open} isOpen={open === 'rename'} onClose={() => setOpen(null)} passkey={passkey} />
      <Confirm
        isOpen={open === 'remove'}
        onClose={() => setOpen(null)}
        title={t('passkeys.removeTitle', { name: passkey.name })}
        text={t('passkeys.removeText')}
        action={t('passkeys.removeAction')}
        onConfirm={() => void confirmRemoval()}
      />
    </Item>
  );
}
