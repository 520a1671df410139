// The top of an affiliate's screen: name, status with its date, actions, and where their money is.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { MoneyRiver } from '../../../ui/charts/money-river.tsx';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { fullName } from '../../../ui/figures/full-name.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { InlineList } from '../../../ui/layout/inline-list.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { AffiliateStatus } from '../../../ui/marks/status.tsx';
import { announce } from '../../../ui/overlay/announcements.ts';
import { Menu, type MenuItem } from '../../../ui/overlay/menu.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { useShortcut } from '../../shortcuts/use-shortcut.ts';
import styles from './affiliate.module.css';
import { useDecision } from './Decision.tsx';
import type { Details, Summary } from './details.ts';
import { methodKey } from './method.ts';
import { UplineNotice } from './UplineNotice.tsx';
import { useResendInvitation } from './use-resend-invitation.ts';
import { useViewAs } from './use-view-as.ts';

type Props = { affiliate: Details; summary: Summary | undefined; onEdit: () => void; children: ReactNode };

export function AffiliateHeader({ affiliate, summary, onEdit, children }: Props) {
  const { t } = useTranslation('affiliate');
  const { href, can } = useProgram();
  const decision = useDecision(affiliate);
  return (
    <Page
      title={fullName(affiliate)}
      trail={<Link href={href('affiliates')}>{t('trail')}</Link>}
      beside={<AffiliateStatus state={affiliate.status} />}
      lede={<Lede affiliate={affiliate} summary={summary} />}
      actions={<Actions affiliate={affiliate} onEdit={onEdit} decide={decision.ask} canWrite={can('affiliates.write')} />}
    >
      <EmailNotice emails={summary?.emails} address={affiliate.email} />
      <UplineNotice affiliate={affiliate} />
      <River summary={summary} affiliateId={affiliate.id} />
      {children}
      {decision.dialog}
    </Page>
  );
}

/** Shown while emails do not reach the affiliate, or only those about the account. */
function EmailNotice({ emails, address }: { emails: Summary['emails'] | undefined; address: string }) {
  const { t } = useTranslation('affiliate');
  if (emails?.bouncedAt)
    return (
      <Notice icon="warning" tone="held" title={t('email.bouncedTitle', { email: address })}>
        {t('email.bounced', { reason: emails.bounceReason ?? '' })}
      </Notice>
    );
  if (!emails?.optedOutAt) return null;
  return (
    <Notice icon="info" title={t('email.optedOutTitle')}>
      {t('email.optedOut', { email: address })}
    </Notice>
  );
}

function Lede({ affiliate, summary }: Pick<Props, 'affiliate' | 'summary'>) {
  const { t } = useTranslation('affiliate');
  const by = summary?.statusChangedBy?.name;
  return (
    <InlineList>
      <a href={`mailto:${affiliate.email}`}>{affiliate.email}</a>
      <bdi>{affiliate.group?.name ?? t('noGroup')}</bdi>
      {summary?.statusChangedAt ? (
        <span>
          {t(`since.${affiliate.status}`)} <DateTime value={summary.statusChangedAt} as="date" />
          {by ? `, ${t('setBy', { name: by })}` : ''}
        </span>
      ) : (
        <span>
          {t('joined')} <DateTime value={affiliate.createdAt} as="date" />
        </span>
      )}
      <Access affiliate={affiliate} />
      {summary?.statusNote ? (
        <span className={styles.reason}>
          <q>{summary.statusNote}</q>
        </span>
      ) : null}
    </InlineList>
  );
}

/** When the affiliate claimed their account, and last used the portal. */
function Access({ affiliate: { claimedAt, lastSeenAt } }: Pick<Props, 'affiliate'>) {
  const { t } = useTranslation('affiliate');
  if (claimedAt === null) return <span>{t('neverSignedIn')}</span>;
  return (
    <>
      <span>
        {t('claimed')} <DateTime value={claimedAt} as="date" />
      </span>
      {lastSeenAt === null ? null : (
        <span>
          {t('lastSeen')} <DateTime value={lastSeenAt} />
        </span>
      )}
    </>
  );
}

type ActionsProps = {
  affiliate: Details;
  onEdit: () => void;
  decide: (kind: 'approve' | 'reject' | 'suspend' | 'archive') => void;
  canWrite: boolean;
};

function Actions({ affiliate, onEdit, decide, canWrite }: ActionsProps) {
  const { t } = useTranslation('affiliate');
  const copy = useCopyLink(affiliate.linkUrl);
  useShortcut({ keys: 'l', label: t('actions.copyLink'), run: copy });
  const { status } = affiliate;
  const approve = t(status === 'pending' ? 'actions.approve' : 'actions.reactivate', { name: affiliate.firstName });
  useShortcut({ keys: 'a', label: approve, isEnabled: canWrite && status !== 'active', run: () => decide('approve') });
  const items = useMenuItems({ affiliate, decide, canWrite });
  return (
    <>
      <Button icon="link" onClick={() => void copy()}>
        {t('actions.copyLink')}
      </Button>
      {canWrite ? (
        <>
          <Button icon="edit" keys="e" onClick={onEdit}>
            {t('actions.edit')}
          </Button>
          {status === 'pending' ? (
            <>
              <Button onClick={() => decide('reject')}>{t('actions.reject')}</Button>
              <Button kind="primary" icon="check" onClick={() => decide('approve')}>
                {approve}
              </Button>
            </>
          ) : null}
        </>
      ) : null}
      {items.length > 0 ? <Menu align="end" target={<IconButton icon="more" label={t('actions.more')} />} items={items} /> : null}
    </>
  );
}

function useMenuItems({ affiliate, decide, canWrite }: Omit<ActionsProps, 'onEdit'>): MenuItem[] {
  const { t } = useTranslation('affiliate');
  const resend = useResendInvitation(affiliate);
  const viewAs = useViewAs(affiliate);
  const { status } = affiliate;
  const items: MenuItem[] = viewAs ? [{ label: t('actions.viewAs'), icon: 'eye', onSelect: viewAs }] : [];
  if (!canWrite) return items;
  items.push({ label: t('actions.resend'), icon: 'send', isDisabled: status === 'archived', onSelect: resend }, { kind: 'divider' });
  if (status === 'suspended' || status === 'rejected' || status === 'archived')
    items.push({ label: t('actions.reactivate'), icon: 'check', onSelect: () => decide('approve') });
  if (status === 'active') items.push({ label: t('actions.suspend'), icon: 'pause', onSelect: () => decide('suspend') });
  const archive = () => decide('archive');
  items.push({ label: t('actions.archive'), icon: 'archive', tone: 'danger', isDisabled: status === 'archived', onSelect: archive });
  return items;
}

function useCopyLink(url: string): () => Promise<void> {
  const { t } = useTranslation('affiliate');
  return async () => {
    await navigator.clipboard.writeText(url);
    showToast(t('actions.linkCopied'));
    announce(t('actions.linkCopied'));
  };
}

function River({ summary, affiliateId }: { summary: Summary | undefined; affiliateId: string }) {
  const { t } = useTranslation('affiliate');
  const { href } = useProgram();
  if (!summary) return <Skeleton shape="block" height={188} />;
  const { money, currency, nextMaturity } = summary;
  const tab = (name: string) => href(`affiliates/${affiliateId}?tab=${name}`);
  return (
    <MoneyRiver
      currency={currency}
      parts={[
        {
          state: 'pending',
          cents: money.pendingCents,
          href: tab('commissions'),
          note: nextMaturity ? (
            <>
              {t('river.next')} <DateTime value={nextMaturity.maturesAt} as="date" />
            </>
          ) : null,
        },
        { state: 'held', cents: money.heldCents, href: tab('commissions') },
        { state: 'approved', cents: Math.max(0, money.approvedCents), href: tab('payouts'), note: t('river.balanceDue') },
        { state: 'in_transit', cents: money.inTransitCents, href: tab('payouts') },
        { state: 'paid', cents: money.paidCents, href: tab('payouts') },
      ]}
      footer={<RiverFooter summary={summary} />}
    />
  );
}

function RiverFooter({ summary }: { summary: Summary }) {
  const { t } = useTranslation('affiliate');
  const { money, currency, nextMaturity, payoutDetails } = summary;
  return (
    <>
      {money.approvedCents < 0 ? (
        <span className={styles.negative}>
          <Icon name="undo" size={14} />
          {t('river.negative')} <Money cents={money.approvedCents} currency={currency} />
        </span>
      ) : null}
      {nextMaturity ? (
        <span>
          <Money cents={nextMaturity.amountCents} currency={currency} /> {t('river.readyOn')}{' '}
          <DateTime value={nextMaturity.maturesAt} as="date" />
        </span>
      ) : null}
      <span>
        {payoutDetails ? t('river.payoutMethod', { method: t(`method.${methodKey(payoutDetails.method)}`) }) : t('river.noDetails')}
      </span>
    </>
  );
}
