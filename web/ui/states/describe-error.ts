// The texts of failed requests. They are loaded with the first one that fails, except for a missing connection.
import i18next from 'i18next';
import type { DescribeError } from '../../api/errors.ts';

/** Words a failed request in the language of the page; null if there is no text for its code. */
export const describeError: DescribeError = async (error) => {
  if (error.status === 0) return i18next.t('ui:state.offline');
  try {
    const { wordError } = await import('./word-error.ts');
    return await wordError(error, i18next.language === 'de' ? 'de' : 'en');
  } catch {
    // The connection was lost in between, or a release replaced the file.
    return null;
  }
};
