// The rows of the form: what was pasted, as it was corrected, with what the server said about each.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useFaultText } from '../../../ui/form/fault-text.ts';
import { formatAddresses, parseAddresses, type Row } from './addresses.ts';

type Outcome = Result<'affiliates.inviteMany'>['rows'][number];

const looksRight = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Rows of a text. Known ones keep their corrections. */
export function useRows() {
  const faultText = useFaultText();
  const problemText = useProblemText();
  return {
    parse: (addresses: string, known: readonly Row[]): Row[] => {
      const bySource = new Map(known.map((row) => [row.source, row]));
      return parseAddresses(addresses).map((person) => {
        const source = person.email.toLowerCase();
        const problem = looksRight.test(person.email) ? null : faultText('must be an email address');
        return bySource.get(source) ?? { ...person, source, problem };
      });
    },
    /** The rows that were not invited, each with its reason, and their text. Rows beyond those that were sent stay, too. */
    keepFailed: (rows: readonly Row[], outcomes: readonly Outcome[]) => {
      const byLine = new Map(outcomes.map((outcome) => [outcome.line, outcome]));
      const people = rows.flatMap((row, index): Row[] => {
        const outcome = byLine.get(index + 1);
        if (outcome?.outcome === 'invited') return [];
        return [{ ...row, source: row.email.toLowerCase(), problem: outcome ? problemText(outcome) : row.problem }];
      });
      return { people, addresses: formatAddresses(people) };
    },
  };
}

/** Why a row was not invited. */
export function useProblemText(): (outcome: Outcome) => string {
  const { t } = useTranslation('affiliate');
  const faultText = useFaultText();
  const labels = new Map([
    ['firstName', t('field.firstName')],
    ['lastName', t('field.lastName')],
    ['groupId', t('field.groupId')],
    ['parentAffiliateId', t('field.parentAffiliateId')],
  ]);
  return ({ outcome, details, reason }) => {
    if (outcome === 'existed') return t('invite.existed');
    const faults = details.map(({ path: [name = ''], message }) => [labels.get(name), faultText(message)].filter(Boolean).join(': '));
    return faults.length > 0 ? faults.join(' · ') : faultText(reason ?? '');
  };
}
