// What the program gives the affiliate to promote it with: texts with the affiliate's own link inside, images and files.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import { type Library, ResourceCard } from './ResourceCard.tsx';
import styles from './resources.module.css';

const kinds = ['all', 'text', 'image', 'file'] as const;

export function Screen() {
  const { t } = useTranslation('portal-resources');
  const { programId, programName } = useAccount();
  const read = useRead('portal.resources', { path: { programId }, query: { limit: 200 } });
  const skeleton = (
    <Card>
      <SkeletonText lines={6} />
    </Card>
  );
  return (
    <Page title={t('title')} lede={t('lede', { program: programName })} width="reading">
      <Loaded read={read} what={t('what')} skeleton={skeleton}>
        {(library) => (
          <>
            {library.resources.length === 0 ? (
              <EmptyState sample="products" title={t('empty.title')} text={t('empty.text', { program: programName })} />
            ) : (
              <List library={library} />
            )}
            <Rules library={library} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function List({ library: { resources } }: { library: Library }) {
  const { t } = useTranslation('portal-resources');
  const [kind, setKind] = useState<(typeof kinds)[number]>('all');
  const present = kinds.filter((one) => one === 'all' || resources.some((resource) => resource.kind === one));
  return (
    <>
      {present.length > 2 ? (
        <div>
          <Segments label={t('kinds')} tabs={present.map((id) => ({ id, label: t(`kind.${id}`) }))} value={kind} onChange={setKind} />
        </div>
      ) : null}
      {resources
        .filter((resource) => kind === 'all' || resource.kind === kind)
        .map((resource) => (
          <ResourceCard key={resource.id} resource={resource} />
        ))}
    </>
  );
}

/** What to write, and what not. */
function Rules({ library: { disclosure, restrictedPhrases } }: { library: Library }) {
  const { t } = useTranslation('portal-resources');
  return (
    <Card title={t('rules.title')}>
      <Stack gap={12}>
        <p>{t('rules.disclosure')}</p>
        <p className={styles.text}>{disclosure}</p>
        {restrictedPhrases.length === 0 ? null : (
          <>
            <p>{t('rules.phrases')}</p>
            <ul className={styles.phrases}>
              {restrictedPhrases.map((phrase) => (
                <li key={phrase}>{phrase}</li>
              ))}
            </ul>
          </>
        )}
      </Stack>
    </Card>
  );
}
