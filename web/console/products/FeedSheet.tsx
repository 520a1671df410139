// The product feed: for all affiliates or one, in three formats, as a file or as an address for other systems.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useProgram } from '../../session/program.ts';
import { download } from '../../states/download.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { CopyButton } from '../../ui/marks/copy-button.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { AffiliateSelect } from '../affiliates/AffiliateSelect.tsx';
import styles from './products.module.css';

const formats = ['csv', 'google_xml', 'json'] as const;
type Format = (typeof formats)[number];

const extensions: Record<Format, string> = { csv: 'csv', google_xml: 'xml', json: 'json' };

export function FeedSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('products');
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('feed.title')} detail={t('feed.detail')}>
      <Feed />
    </Sheet>
  );
}

function Feed() {
  const { t } = useTranslation('products');
  const { id: programId, slug, href } = useProgram();
  const [format, setFormat] = useState<Format>('csv');
  const [affiliateId, setAffiliateId] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const query = { format, affiliateId: affiliateId ?? undefined };
  const parameters = new URLSearchParams({ format });
  if (affiliateId !== null) parameters.set('affiliateId', affiliateId);
  const address = `${location.origin}/v1/programs/${programId}/products/feed?${parameters}`;
  const save = async () => {
    setIsBusy(true);
    await download(`${slug}-products.${extensions[format]}`, () => loadFeed({ programId }, query));
    setIsBusy(false);
  };
  return (
    <Stack gap={20}>
      <Segments
        label={t('feed.format')}
        tabs={formats.map((id) => ({ id, label: t(`feed.formats.${id}`) }))}
        value={format}
        onChange={setFormat}
      />
      <Text size="small">{t(`feed.about.${format}`)}</Text>
      <AffiliateSelect
        label={t('feed.affiliate')}
        help={t('feed.affiliateHelp')}
        value={affiliateId}
        onChange={setAffiliateId}
        current={null}
      />
      <div>
        <Button kind="primary" icon="download" isBusy={isBusy} onClick={() => void save()}>
          {t('feed.download')}
        </Button>
      </div>
      <section aria-label={t('feed.address')}>
        <h3 className={styles.title}>{t('feed.address')}</h3>
        <CopyButton value={address} isMono />
        <p className={styles.detail}>
          {t('feed.addressHelp')} <Link href={href('settings/api-keys')}>{t('feed.keys')}</Link>
        </p>
      </section>
    </Stack>
  );
}

type Query = { format: Format; affiliateId: string | undefined };

/** The feed as a file; as JSON, it arrives parsed. */
async function loadFeed(path: { programId: string }, query: Query): Promise<Blob> {
  const feed: unknown = await call('products.feed', { path, query });
  return feed instanceof Blob ? feed : new Blob([JSON.stringify(feed, null, 2)], { type: 'application/json' });
}
