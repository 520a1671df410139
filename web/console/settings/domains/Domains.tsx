// The custom domains of the program: the DNS records to create, the ones that were found, and the purpose of each domain.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { SettingsSkeleton } from '../form/SettingsForm.tsx';
import { AddDomain } from './AddDomain.tsx';
import { DomainItem } from './DomainItem.tsx';

/** A program has at most 20. */
const limit = 50;
/** Shows the results of scheduled checks soon. */
const refreshMs = 10_000;

export function Screen() {
  const { t } = useTranslation('domains');
  const { id: programId } = useProgram();
  const read = useRead('domains.list', { path: { programId }, query: { limit, sort: 'host' } }, { refreshMs });
  return (
    <Page title={t('title')} lede={t('lede')} width="reading">
      <Loaded read={read} what={t('what')} skeleton={<SettingsSkeleton />}>
        {({ domains }) => (
          <Stack gap={20}>
            {domains.length === 0 ? (
              <EmptyState sample={null} title={t('emptyTitle')} text={t('emptyText')} />
            ) : (
              <Card title={t('list')} isFlush>
                <RowList>
                  {domains.map((domain) => (
                    <DomainItem key={domain.id} domain={domain} />
                  ))}
                </RowList>
              </Card>
            )}
            <AddDomain />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
