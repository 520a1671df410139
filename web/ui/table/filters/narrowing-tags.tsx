// Above a table: what the link that led here narrowed a list to, each with a button that widens it again.
import { Tag } from '../../marks/tag.tsx';

type Props<Name extends string> = {
  names: readonly Name[];
  only: { readonly [One in Name]?: unknown };
  label: (name: Name) => string;
  /** Changes the URL, so that the list has all of its rows again, from the first page. */
  onWiden: (patch: Record<string, null>) => void;
};

export function NarrowingTags<Name extends string>({ names, only, label, onWiden }: Props<Name>) {
  return names
    .filter((name) => only[name] !== undefined)
    .map((name) => (
      <Tag key={name} onRemove={() => onWiden({ [name]: null, page: null })}>
        {label(name)}
      </Tag>
    ));
}
