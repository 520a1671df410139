// The affiliate's page: what it says, what it looks like, and whether it is live.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import { Editor } from './Editor.tsx';

export function Screen() {
  const { t } = useTranslation('portal-page');
  const { programId, programName } = useAccount();
  // What was typed must never be replaced by a refresh, so the page is read once.
  const read = useRead('portalPage.get', { path: { programId } }, { staleMs: Number.POSITIVE_INFINITY });
  return (
    <Page title={t('title')} lede={t('lede', { program: programName })}>
      <Loaded read={read} what={t('what')} skeleton={<EditorSkeleton />}>
        {(page) => <Editor key={programId} page={page} />}
      </Loaded>
    </Page>
  );
}

function EditorSkeleton() {
  return (
    <Stack gap={16}>
      <Card>
        <SkeletonText lines={2} />
      </Card>
      <Card>
        <SkeletonText lines={8} />
      </Card>
    </Stack>
  );
}
