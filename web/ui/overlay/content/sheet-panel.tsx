// The open sheet. ../sheet.tsx loads this file on demand.
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { Drawer } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../controls/button.tsx';
import { isolated } from '../../layout/isolated.tsx';
import { useIsPhone, useReducedMotion } from '../../layout/use-media.ts';
import { Confirm } from '../confirm.tsx';
import styles from '../overlay.module.css';
import { CloseContext, type SheetProps } from '../sheet-props.ts';
import { useEscape } from '../use-escape.ts';

export function SheetPanel({ isOpen, onClose, width = 'normal', hasChanges = false, children, ...parts }: SheetProps) {
  const { t } = useTranslation('ui');
  const isPhone = useIsPhone();
  const isStill = useReducedMotion();
  const [isAsking, setIsAsking] = useState(false);
  const close = () => (hasChanges ? setIsAsking(true) : onClose());
  useEscape(isOpen, close);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '92dvh' : width === 'wide' ? 720 : 560}
      classNames={{ content: `${styles.sheet} ${isPhone ? styles.fromBottom : styles.fromRight}` }}
      transitionProps={{ duration: isStill ? 0 : 180, timingFunction: 'cubic-bezier(.2,.8,.2,1)' }}
      returnFocus
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <CloseContext value={close}>
          <SheetParts {...parts} close={close}>
            {children}
          </SheetParts>
        </CloseContext>
        <Confirm
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          title={t('sheet.discardTitle')}
          text={t('sheet.discardText')}
          action={t('sheet.discard')}
          onConfirm={() => {
            setIsAsking(false);
            onClose();
          }}
        />
      </Drawer.Content>
    </Drawer.Root>
  );
}

type PartsProps = Pick<SheetProps, 'title' | 'detail' | 'onPrevious' | 'onNext' | 'footer' | 'children'> & { close: () => void };

function SheetParts({ title, detail, onPrevious, onNext, footer, children, close }: PartsProps) {
  const { t } = useTranslation('ui');
  useNeighbourKeys(onPrevious, onNext);
  const hasNeighbours = onPrevious !== undefined || onNext !== undefined;
  return (
    <>
      <div className={styles.sheetHeader}>
        <div className={styles.sheetHeading}>
          <Drawer.Title className={styles.sheetTitle}>{isolated(title)}</Drawer.Title>
          {detail === undefined ? null : <div className={styles.sheetDetail}>{detail}</div>}
        </div>
        <div className={styles.sheetButtons}>
          {hasNeighbours ? (
            <>
              <IconButton icon="chevronUp" label={t('sheet.previous')} keys="[" disabled={!onPrevious} onClick={onPrevious} />
              <IconButton icon="chevronDown" label={t('sheet.next')} keys="]" disabled={!onNext} onClick={onNext} />
            </>
          ) : null}
          <IconButton icon="close" label={t('sheet.close')} keys="Escape" onClick={close} />
        </div>
      </div>
      <div className={styles.sheetBody}>{children}</div>
      {footer === undefined ? null : <div className={styles.sheetFooter}>{footer}</div>}
    </>
  );
}

function useNeighbourKeys(onPrevious: (() => void) | undefined, onNext: (() => void) | undefined): void {
  const latest = useRef({ onPrevious, onNext });
  latest.current = { onPrevious, onNext };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (isTyping || event.metaKey || event.ctrlKey) return;
      if (event.key === '[') latest.current.onPrevious?.();
      if (event.key === ']') latest.current.onNext?.();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
