// What to share: the default link, a custom link, coupon codes, and links named for a channel or a page.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { CopyButton } from '../../ui/marks/copy-button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import { LinkCard } from '../share/LinkCard.tsx';
import styles from './links.module.css';
import { NamedLinkItem } from './NamedLinkItem.tsx';
import { NewLinkSheet } from './NewLinkSheet.tsx';
import { RecruitCard } from './RecruitCard.tsx';
import { SlugCard } from './SlugCard.tsx';

type Links = Result<'portal.links'>;

export function Screen() {
  const { t } = useTranslation('portal-links');
  const { programId } = useAccount();
  const read = useRead('portal.links', { path: { programId } });
  return (
    <Page title={t('title')} lede={t('lede')} width="wide">
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={6} />
          </Card>
        }
      >
        {(links) => (
          <div className={styles.columns}>
            <div className={styles.column}>
              <LinkCard url={links.url} />
              <SlugCard key={links.vanitySlug} current={links.vanitySlug} codeUrl={links.codeUrl} />
              <Coupons coupons={links.coupons} />
              {links.recruiting === null ? null : <RecruitCard recruiting={links.recruiting} />}
            </div>
            <div className={styles.column}>
              <NamedLinks links={links} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Coupons({ coupons }: Pick<Links, 'coupons'>) {
  const { t } = useTranslation('portal-links');
  if (coupons.length === 0) return null;
  return (
    <Card title={t('coupons.title')}>
      <Text>{t('coupons.text')}</Text>
      <ul className={styles.coupons}>
        {coupons.map(({ code }) => (
          <li key={code}>
            <CopyButton value={code} isMono />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function NamedLinks({ links: { links, allowedHosts } }: { links: Links }) {
  const { t } = useTranslation('portal-links');
  const [isCreating, setIsCreating] = useState(false);
  const create = (
    <Button icon="plus" onClick={() => setIsCreating(true)}>
      {t('named.create')}
    </Button>
  );
  return (
    <Card
      title={t('named.title')}
      detail={links.length === 0 ? undefined : t('named.period')}
      isFlush
      actions={links.length === 0 ? null : create}
    >
      {links.length === 0 ? (
        <EmptyState title={t('named.emptyTitle')} text={t('named.emptyText')} actions={create} sample="links" />
      ) : (
        <ul className={styles.list}>
          {links.map((link) => (
            <NamedLinkItem key={link.id} link={link} />
          ))}
        </ul>
      )}
      <NewLinkSheet isOpen={isCreating} onClose={() => setIsCreating(false)} allowedHosts={allowedHosts} />
    </Card>
  );
}
