// What the emails of the program say and look like, and who they come from: the text of each that can be edited, beside a
// preview with sample contents, rendered as it is sent.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { ButtonLink } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { EmailList } from './EmailList.tsx';
import { EmailPanel } from './EmailPanel.tsx';
import styles from './emails.module.css';
import type { EmailId } from './preview-types.ts';
import { SenderAddress } from './SenderAddress.tsx';
import { SenderForm } from './SenderForm.tsx';

export function Screen() {
  const { t } = useTranslation('emails');
  const { t: tUi } = useTranslation('ui');
  const { id: programId, href } = useProgram();
  const [email, setEmail] = useState<EmailId>('invitation');
  const [hasChanges, setHasChanges] = useState(false);
  const [next, setNext] = useState<EmailId | null>(null);
  const brand = useRead('brand.get', { path: { programId } });
  const open = (chosen: EmailId) => {
    setEmail(chosen);
    setHasChanges(false);
    setNext(null);
  };
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      actions={
        <ButtonLink icon="mailbox" href={href('settings/mailbox')}>
          {t('mailbox')}
        </ButtonLink>
      }
    >
      <Stack gap={24}>
        <div className={styles.columns}>
          <EmailList value={email} onChange={(chosen) => (hasChanges && chosen !== email ? setNext(chosen) : open(chosen))} />
          <EmailPanel key={email} email={email} version={brand.dataUpdatedAt} onChanged={setHasChanges} />
        </div>
        <Loaded
          read={brand}
          what={t('sender.what')}
          skeleton={
            <Card title={t('sender.title')}>
              <SkeletonText lines={6} />
            </Card>
          }
        >
          {(loaded) => <SenderForm brand={loaded} />}
        </Loaded>
        <SenderAddress />
      </Stack>
      {next === null ? null : (
        <Confirm
          isOpen
          onClose={() => setNext(null)}
          title={tUi('sheet.discardTitle')}
          text={tUi('sheet.discardText')}
          action={tUi('sheet.discard')}
          onConfirm={() => open(next)}
        />
      )}
    </Page>
  );
}
