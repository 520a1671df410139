// What the sheet of a group shows: its terms, the commission rules for it, and its members.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Rate } from '../../ui/figures/rate.tsx';
import { Facts, RowList, Section } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { AffiliateStatus, Status } from '../../ui/marks/status.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { toRateValue } from '../rules/rate-value.ts';
import styles from './groups.module.css';
import { type Group, HoldPeriod, MinimumPayout } from './use-columns.tsx';

const shownMembers = 10;

export function GroupDetails({ group }: { group: Group }) {
  const { t } = useTranslation('groups');
  const rows = [
    {
      label: t('column.status'),
      value: (
        <Status tone={group.status === 'active' ? 'approved' : 'neutral'} icon={group.status === 'active' ? 'check' : 'archive'}>
          {t(`status.${group.status}`)}
        </Status>
      ),
    },
    { label: t('column.hold'), value: <HoldPeriod group={group} /> },
    { label: t('column.minimum'), value: <MinimumPayout group={group} /> },
  ];
  return (
    <>
      <Facts rows={rows} />
      <Rules group={group} />
      <Members group={group} />
    </>
  );
}

function Rules({ group: { id } }: { group: Group }) {
  const { t } = useTranslation('groups');
  const { id: programId, href } = useProgram();
  const read = useRead('commissionRules.list', { path: { programId }, query: { groupId: id, status: ['active'], limit: 50 } });
  return (
    <Section title={t('rules.title')} detail={t('rules.detail')}>
      <Loaded read={read} what={t('rules.title')} skeleton={<SkeletonText lines={2} />}>
        {({ commissionRules: rules }) =>
          rules.length === 0 ? (
            <p className={styles.detail}>{t('rules.none')}</p>
          ) : (
            <RowList>
              {rules.map((rule) => (
                <RuleRow key={rule.id} rule={rule} />
              ))}
            </RowList>
          )
        }
      </Loaded>
      <div className={styles.more}>
        <ButtonLink size="small" href={href('rules')}>
          {t('rules.open')}
        </ButtonLink>
      </div>
    </Section>
  );
}

function RuleRow({ rule }: { rule: Parameters<typeof toRateValue>[0] & { name: string } }) {
  const value = toRateValue(rule);
  return (
    <li className={styles.row}>
      <bdi>{rule.name}</bdi>
      {value === null ? '–' : <Rate value={value} />}
    </li>
  );
}

function Members({ group: { id, affiliateCount } }: { group: Group }) {
  const { t } = useTranslation('groups');
  const { id: programId, href } = useProgram();
  const query = { groupId: [id], limit: shownMembers };
  const read = useRead('affiliateTable.list', { path: { programId }, query });
  return (
    <Section title={t('members', { count: affiliateCount })} detail={t('membersDetail')}>
      <Loaded read={read} what={t('column.members')} skeleton={<SkeletonText lines={4} />}>
        {({ affiliates }) =>
          affiliates.length === 0 ? (
            <p className={styles.detail}>{t('noMembers')}</p>
          ) : (
            <RowList>
              {affiliates.map((affiliate) => (
                <li key={affiliate.id} className={styles.row}>
                  <Link href={href(`affiliates/${affiliate.id}`)}>
                    <bdi>{`${affiliate.firstName} ${affiliate.lastName}`}</bdi>
                  </Link>
                  <AffiliateStatus state={affiliate.status} />
                </li>
              ))}
            </RowList>
          )
        }
      </Loaded>
      <div className={styles.more}>
        <ButtonLink size="small" href={href(`affiliates?groupId=${id}`)}>
          {t('openMembers')}
        </ButtonLink>
      </div>
    </Section>
  );
}
