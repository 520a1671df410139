// The second step: which provider pays, until which day commissions are paid, and a note.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatMoney } from '../../../ui/figures/format.ts';
import { DateInput } from '../../../ui/form/dates.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { Due } from '../due/due-groups.ts';
import { chosenOf } from './changes.ts';
import { type DispatchChoice, isTooLate } from './choice.ts';

const query = { kind: ['payout' as const], status: ['connected' as const, 'needs_attention' as const], limit: 100, sort: 'name' as const };
const providerTypes = ['paypal', 'wise', 'stripe_connect', 'external_webhook', 'simulated', 'csv', 'manual'] as const;

type Props = { due: Due; choice: DispatchChoice; onChoice: (choice: DispatchChoice) => void };

export function ChooseMethod({ due, choice, onChoice }: Props) {
  const { t } = useTranslation('payouts');
  const { id: programId } = useProgram();
  const { language, now, timezone } = useFigures();
  const chosen = chosenOf(due.due, choice.excepted);
  const read = useRead('providers.list', { path: { programId }, query });
  return (
    <Loaded read={read} what={t('dispatch.providers')} skeleton={<SkeletonText lines={4} />}>
      {({ providers }) => {
        const provider = providers.find(({ id, isDefault }) => (choice.providerId === null ? isDefault : id === choice.providerId));
        const type = providerTypes.find((each) => each === (provider?.type ?? 'manual')) ?? 'manual';
        const unavailable = due.skipped.filter(({ reason }) => reason === 'provider_unavailable').length;
        return (
          <Stack gap={16}>
            {providers.length === 0 ? (
              <Notice title={t('dispatch.manualTitle')}>{t('dispatch.manualText')}</Notice>
            ) : (
              <Select
                label={t('dispatch.provider')}
                value={provider?.id ?? null}
                options={providers.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(providerId) => onChoice({ ...choice, providerId })}
              />
            )}
            <Text>{t(`method.${type}`)}</Text>
            {unavailable === 0 ? null : <Text>{t('dispatch.unavailable', { count: unavailable })}</Text>}
            <DateInput
              label={t('dispatch.cutoff')}
              help={t('dispatch.cutoffHelp')}
              value={choice.cutoffDay}
              onChange={(cutoffDay) => onChoice({ ...choice, cutoffDay })}
              error={isTooLate(choice.cutoffDay, timezone, now) ? t('dispatch.cutoffTooLate') : undefined}
            />
            <Text>
              {t('dispatch.dueThen', { count: chosen.rows.length, amount: formatMoney(chosen.totalCents, due.currency, language) })}
            </Text>
            <TextInput
              label={t('dispatch.note')}
              help={t('dispatch.noteHelp')}
              value={choice.note}
              onChange={(note) => onChoice({ ...choice, note })}
              maxLength={200}
            />
          </Stack>
        );
      }}
    </Loaded>
  );
}
