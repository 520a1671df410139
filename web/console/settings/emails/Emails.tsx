// What the emails of the program look like, and who they come from: a preview of each with sample contents, rendered as it
// is sent.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { ButtonLink } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { EmailList } from './EmailList.tsx';
import styles from './emails.module.css';
import { Preview } from './Preview.tsx';
import type { EmailId } from './preview-types.ts';
import { SenderForm } from './SenderForm.tsx';

export function Screen() {
  const { t } = useTranslation('emails');
  const { id: programId, href } = useProgram();
  const [email, setEmail] = useState<EmailId>('invitation');
  const brand = useRead('brand.get', { path: { programId } });
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
          <EmailList value={email} onChange={setEmail} />
          <Preview key={email} email={email} version={brand.dataUpdatedAt} />
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
      </Stack>
    </Page>
  );
}
