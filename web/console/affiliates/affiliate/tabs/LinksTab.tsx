// What an affiliate shares: the link with its QR code, code and slug, coupons, the landing page, and their postbacks.
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Loaded } from '../../../../states/loaded.tsx';
import { ButtonLink } from '../../../../ui/controls/button.tsx';
import { Count } from '../../../../ui/figures/count.tsx';
import { Card, Facts, RowList } from '../../../../ui/layout/card.tsx';
import { Grid, Row, Stack, Text } from '../../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../../ui/marks/copy-button.tsx';
import { Status } from '../../../../ui/marks/status.tsx';
import { Skeleton } from '../../../../ui/states/skeleton.tsx';
import styles from '../affiliate.module.css';
import type { Details } from '../details.ts';
import { Postbacks } from './Postbacks.tsx';

type Coupon = NonNullable<Read<'coupons.list'>['data']>['coupons'][number];

export function LinksTab({ affiliate }: { affiliate: Details }) {
  return (
    <Grid columns="main-aside">
      <Stack>
        <LinkCard affiliate={affiliate} />
        <Coupons affiliateId={affiliate.id} />
        <Postbacks affiliateId={affiliate.id} />
      </Stack>
      <QrCode affiliate={affiliate} />
    </Grid>
  );
}

function LinkCard({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { linkUrl, referralCode, vanitySlug, landingPage, clicks, conversions } = affiliate;
  return (
    <Card title={t('links.title')}>
      <Facts
        rows={[
          { label: t('links.url'), value: <CopyButton value={linkUrl} isMono /> },
          { label: t('links.code'), value: <CopyButton value={referralCode} isMono /> },
          { label: t('links.slug'), value: vanitySlug === null ? t('links.noSlug') : <CopyButton value={vanitySlug} isMono /> },
          { label: t('links.page'), value: landingPage ? landingPage.slug : t('links.noPage') },
          { label: t('metric.clicks'), value: <Count value={clicks} /> },
          { label: t('metric.conversions'), value: <Count value={conversions} /> },
        ]}
      />
    </Card>
  );
}

function QrCode({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const source = (format: string) => `/v1/programs/${programId}/affiliates/${affiliate.id}/qr?format=${format}`;
  return (
    <Card title={t('links.qr')}>
      <div className={styles.qr}>
        <img src={source('svg')} alt={t('links.qrAlt', { url: affiliate.linkUrl })} width={148} height={148} />
        <Row justify="center">
          <ButtonLink size="small" icon="download" href={source('svg')} isDownload>
            SVG
          </ButtonLink>
          <ButtonLink size="small" icon="download" href={source('png')} isDownload>
            PNG
          </ButtonLink>
        </Row>
      </div>
    </Card>
  );
}

function Coupons({ affiliateId }: { affiliateId: string }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const read = useRead('coupons.list', { path: { programId }, query: { affiliateId, limit: 50 } });
  return (
    <Card title={t('coupons.title')} isFlush>
      <Loaded read={read} what={t('coupons.title')} skeleton={<Skeleton shape="block" height={56} />}>
        {({ coupons }) =>
          coupons.length === 0 ? (
            <div className={styles.couponRow}>
              <Text tone="ink-3">{t('coupons.none')}</Text>
            </div>
          ) : (
            <RowList>
              {coupons.map((coupon) => (
                <CouponRow key={coupon.id} coupon={coupon} />
              ))}
            </RowList>
          )
        }
      </Loaded>
    </Card>
  );
}

function CouponRow({ coupon }: { coupon: Coupon }) {
  const { t } = useTranslation('affiliate');
  const isActive = coupon.status === 'active';
  return (
    <li className={styles.couponRow}>
      <CopyButton value={coupon.code} isMono />
      <span className={styles.couponFacts}>{t('coupons.used', { count: coupon.redemptions })}</span>
      {coupon.leakSuspectedAt === null ? (
        <Status tone={isActive ? 'approved' : 'neutral'} icon={isActive ? 'check' : 'archive'}>
          {t(`coupons.${coupon.status}`)}
        </Status>
      ) : (
        <Status tone="held" icon="warning">
          {t('coupons.leak')}
        </Status>
      )}
    </li>
  );
}
