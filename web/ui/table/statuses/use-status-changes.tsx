// Changes the status of the selected rows of a table: shows what happened to each of them, and offers to undo it.
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/button.tsx';
import type { IconName } from '../../icons.tsx';
import { showToast } from '../../overlay/toasts.tsx';
import { noSelection, type Selection } from '../table-types.ts';

type Change<Status> = { id: string; status: Status };
type Outcome<Status> = { id: string; outcome: 'changed' | 'unchanged' | 'not_found'; previousStatus: Status | null };

type Options<Status> = {
  isEnabled: boolean;
  /** The status that the button gives, and how the button looks. */
  action: { status: Status; label: string; icon: IconName };
  /** Sends changes to the API; at most `maxChanges`. */
  apply: (changes: Change<Status>[]) => Promise<{ results: Outcome<Status>[] }>;
  /** What a row is called in a sentence. */
  nameOf: (id: string) => string | undefined;
  /** The message that is shown once this many rows have the status. */
  describe: (changed: number) => string;
};

/** What a `DataTable` needs for its checkboxes and the bar of selected rows. */
type TableProps = {
  selection?: Selection;
  onSelectionChange?: (selection: Selection) => void;
  canSelectAllMatching?: boolean;
  bulkActions?: ReactNode;
};

/** The API accepts no more changes in one request. */
const maxChanges = 200;

/** The selection of a table, and the button that gives its rows another status. */
export function useStatusChanges<Status>(options: Options<Status>): { tableProps: TableProps; clear: () => void } {
  const { isEnabled, action } = options;
  const [selection, setSelection] = useState<Selection>(noSelection);
  const [isBusy, setIsBusy] = useState(false);
  const clear = () => setSelection(noSelection);
  const report = useReport(options);
  const change = async () => {
    setIsBusy(true);
    report(
      await applyInParts(
        selection.ids.map((id) => ({ id, status: action.status })),
        options.apply,
      ),
    );
    setIsBusy(false);
    clear();
  };
  if (!isEnabled) return { tableProps: {}, clear };
  const bulkActions = (
    <Button size="small" icon={action.icon} isBusy={isBusy} onClick={() => void change()}>
      {action.label}
    </Button>
  );
  return { tableProps: { selection, onSelectionChange: setSelection, canSelectAllMatching: false, bulkActions }, clear };
}

/** Shows how many rows were changed and which were not, with a button that undoes it. */
function useReport<Status>({ describe, nameOf, apply }: Options<Status>) {
  const { t, i18n } = useTranslation('table');
  return (results: readonly Outcome<Status>[]): void => {
    if (results.length === 0) return;
    const changed = results.filter(({ outcome }) => outcome === 'changed');
    const others = results.filter(({ outcome }) => outcome !== 'changed').flatMap(({ id }) => nameOf(id) ?? []);
    const names = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(others);
    const undo = async () => {
      const changes = changed.flatMap(({ id, previousStatus }) => (previousStatus === null ? [] : [{ id, status: previousStatus }]));
      const undone = await applyInParts(changes, apply);
      if (undone.length > 0) showToast(t('table.undone'), { icon: 'undo' });
    };
    const text = [changed.length > 0 ? describe(changed.length) : null, others.length > 0 ? t('table.unchanged', { names }) : null];
    showToast(text.filter(Boolean).join(' '), changed.length > 0 ? { tone: 'success', onUndo: () => void undo() } : {});
  };
}

/** Sends as many requests as the changes need. A failure is shown; the outcomes of the requests before it are returned. */
async function applyInParts<Status>(changes: Change<Status>[], apply: Options<Status>['apply']): Promise<Outcome<Status>[]> {
  const results: Outcome<Status>[] = [];
  try {
    for (let from = 0; from < changes.length; from += maxChanges)
      results.push(...(await apply(changes.slice(from, from + maxChanges))).results);
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error), { tone: 'error' });
  }
  return results;
}
