// What is wrong with a field, in the words of the form. The server's messages address API callers: they name fields and
// units of requests, in English.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { explainFault } from './faults.ts';
import { lastPartOf, type ServerDetail } from './form-state.ts';

const noValues = { min: '', max: '', size: '', length: '', prefix: '' };

/** Turns a message of the server about a field into a text for the user. */
export function useFaultText(): (message: string, field?: string) => string {
  const { t } = useTranslation('ui');
  return useCallback(
    (message: string, field?: string) => {
      const fault = explainFault(message, field);
      return fault === null ? message : t(`fault.${fault.key}`, { ...noValues, ...fault.values });
    },
    [t],
  );
}

/** Words a failed request by the first field that it names, for forms without a place next to the field. */
export function useProblemText(): (problem: { message: string; details: readonly ServerDetail[] }) => string {
  const faultText = useFaultText();
  return useCallback(
    ({ message, details: [first] }) => (first ? faultText(first.message, lastPartOf(first.path)) : faultText(message)),
    [faultText],
  );
}
