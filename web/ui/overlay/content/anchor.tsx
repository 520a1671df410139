import { type Ref, type RefObject, useImperativeHandle } from 'react';

type Props = {
  element: RefObject<HTMLElement | null>;
  /** Set by the component library, which then places its panel next to the element. */
  ref?: Ref<HTMLElement | null>;
};

/** Represents a button that is rendered elsewhere, so that the button keeps the focus when the panel's file has loaded. */
export function Anchor({ element, ref }: Props) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element.current, [element]);
  return null;
}
